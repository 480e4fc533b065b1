import IsaRuntime

/// A list that an object carries along: an associated object stands for it, and takes it along when
/// the object goes.
///
/// Lives:    as long as the class of the associated objects, whose dealloc looks for it.
/// Sendable: because a scenario runs on one thread at a time.
final class CarriedList<Entry>: @unchecked Sendable {
  private let stage: DesignStage
  private let className: String
  private let key = RuntimeAssociationKey()
  /// By the address of the associated object.
  private var lists: [UInt: [Entry]] = [:]
  private var madeClass: RuntimeClass?
  /// How often entries came or went, as a collection counts it for those that go through it.
  private(set) var changes = 0

  /// - Parameter className: The class of the associated objects.
  init(_ stage: DesignStage, _ className: String) {
    self.stage = stage
    self.className = className
  }

  /// The list of an object; none if it carries none.
  func entries(of object: RuntimeObject) -> [Entry] {
    object.associated(forKey: key).flatMap { lists[$0.address] } ?? []
  }

  /// The first entry of any list that is meant.
  func first(where isMeant: (Entry) -> Bool) -> Entry? {
    for list in lists.values {
      if let entry = list.first(where: isMeant) { return entry }
    }
    return nil
  }

  func append(_ entry: Entry, to object: RuntimeObject) throws(KeyValueError) {
    lists[try carried(by: object), default: []].append(entry)
    changes += 1
  }

  /// Puts one entry in the place of all.
  func set(_ entry: Entry, of object: RuntimeObject) throws(KeyValueError) {
    let carried = try carried(by: object)
    // The entries before may end more than themselves, when nothing here is being changed any more.
    let gone = lists.updateValue([entry], forKey: carried)
    changes += 1
    withExtendedLifetime(gone) {}
  }

  /// Takes the first entry out of an object's list that is meant.
  func removeFirst(of object: RuntimeObject, where isMeant: (Entry) -> Bool) {
    guard let carried = object.associated(forKey: key)?.address,
      let index = lists[carried]?.firstIndex(where: isMeant)
    else { return }
    let gone = lists[carried]?.remove(at: index)
    changes += 1
    withExtendedLifetime(gone) {}
  }

  private func carried(by object: RuntimeObject) throws(KeyValueError) -> UInt {
    if let carried = object.associated(forKey: key) { return carried.address }
    let made = try cls().allocate()
    try object.setAssociated(made, forKey: key)
    return made.address
  }

  private func cls() throws(KeyValueError) -> RuntimeClass {
    if let madeClass { return madeClass }
    let made = try stage.world.makeClass(className) { cls throws(KeyValueError) in
      try cls.method("dealloc", "v@:") { call -> Void in self.end(call.receiver.address) }
    }
    madeClass = made
    return made
  }

  private func end(_ carried: UInt) {
    let gone = lists.removeValue(forKey: carried)
    withExtendedLifetime(gone) {}
  }
}
