import GRDB
import IsaKVO
import IsaRuntime
import Synchronization

/// What the store knows of a class: its columns, its references and arrays, and its fault classes.
///
/// Made when the class is first used, and kept for ever: classes of the runtime belong to the process.
final class Entity: @unchecked Sendable {
  // Sendable because all but the fault classes, which have a lock, is final once it is made.
  let type: Managed.Type
  let table: String
  /// The columns behind id and version.
  let columns: [Column]
  let arrays: [ToMany]
  /// The Swift class as the runtime has it.
  let plain: RuntimeClass
  /// The values that a new object has.
  let declaredValues: [String: Any?]
  /// Tells contexts of what changes.
  let tracker = KeyValueSharedObservers<Managed>()
  private let faults = Mutex<[Missing: RuntimeClass]>([:])

  var allMissing: Missing {
    arrays.indices.reduce(into: Missing.row) { $0.insert(.array($1)) }
  }

  var columnList: String { columns.map { ", \"\($0.name)\"" }.joined() }

  // MARK: Making

  private static let known = Mutex<[ObjectIdentifier: Entity]>([:])

  static func of(_ type: Managed.Type) throws -> Entity {
    if let entity = known.withLock({ $0[ObjectIdentifier(type)] }) { return entity }
    let made = try Entity(type)
    return known.withLock { entities in
      if let entity = entities[ObjectIdentifier(type)] { return entity }
      entities[ObjectIdentifier(type)] = made
      return made
    }
  }

  private init(_ type: Managed.Type) throws {
    self.type = type
    table = type.table
    let sample = type.init()
    plain = try RuntimeObject(sample).isa.original
    var columns: [Column] = [], arrays: [ToMany] = []
    for property in try type.keyValueProperties() where property.isStored {
      if property.owner == Managed.self { continue }
      if let array = property.type as? any ManagedArray.Type {
        let inverse = try inverse(of: property.key, in: type, array.element)
        arrays.append(ToMany(property.key, array, inverse, arrays.count, tracker))
      } else {
        columns.append(try column(for: property, of: type, tracker))
      }
    }
    guard arrays.count < 15 else {
      throw StoreError.model(
        type: "\(type)", key: arrays[15].key, reason: "at most 15 arrays were expected")
    }
    (self.columns, self.arrays) = (columns, arrays)
    var declared: [String: Any?] = [:]
    for key in columns.map(\.key) + arrays.map(\.key) {
      declared[key] = .some(try sample.primitiveValue(forKey: key))
    }
    declaredValues = declared
  }

  // MARK: Fault classes

  /// The class of objects of which some parts have not been read; the Swift class if none.
  func runtimeClass(missing: Missing) throws -> RuntimeClass {
    if missing.isEmpty { return plain }
    return try faults.withLock { faults in
      if let known = faults[missing] { return known }
      let made = try makeFaultClass(missing)
      faults[missing] = made
      return made
    }
  }

  /// Answers getter and setter of what is missing: finds it, and has the Swift class go on.
  private func makeFaultClass(_ missing: Missing) throws -> RuntimeClass {
    let (absent, present) = (
      arrays.filter { missing.contains($0.missing) }.map(\.key),
      arrays.filter { !missing.contains($0.missing) }.map(\.key)
    )
    let suffix =
      !missing.contains(.row)
      ? "_Fault_of_" + absent.joined(separator: "_")
      : present.isEmpty ? "_Fault" : "_Fault_without_" + present.joined(separator: "_")
    let builder = try RuntimeClassBuilder(plain.name + suffix, superclass: plain)
    if missing.contains(.row) {
      for column in columns { try add(column.key, .row, to: builder) }
    }
    for array in arrays where missing.contains(array.missing) {
      try add(array.key, array.missing, to: builder)
    }
    return try builder.register()
  }

  private func add(_ key: String, _ part: Missing, to builder: RuntimeClassBuilder) throws {
    let property = plain.property(named: key)!
    let getter = plain.method(property.getter)!
    try builder.method(getter.selector, getter.encoding) { call in
      (call.receiver.unsafeSwiftObject as! Managed).find(part)
      return (try? call.callSuper()) ?? .nilObject
    }
    guard let selector = property.setter ?? setter(of: key), let setter = plain.method(selector)
    else { return }
    try builder.method(setter.selector, setter.encoding) { (call: RuntimeMethodCall) -> Void in
      let object = call.receiver.unsafeSwiftObject as! Managed
      let wasTracked = object.missing.contains(part) ? object.isTracked : !object.isTrackedLate
      object.find(part)
      // What cannot be found cannot be set: the row would come over it.
      if object.missing.contains(part) { return }
      if wasTracked { return _ = try? call.callSuper(call.arguments) }
      // The trackers, which the object has since this set began, do not hear of it.
      object.noteSet(of: key) { _ = try? call.callSuper(call.arguments) }
    }
  }

  private func setter(of key: String) -> RuntimeSelector? {
    RuntimeSelector("set\(key.prefix(1).uppercased())\(key.dropFirst()):")
  }
}

extension Managed {
  /// Reads what is missing, if it still is.
  fileprivate final func find(_ part: Missing) {
    if missing.contains(part) { context?.find(part, of: self) ?? giveUp() }
  }

  /// Without a context nothing is found any more: the declared values stay.
  fileprivate final func giveUp() {
    if let entity = try? Entity.of(Self.self) { become(missing: [], entity) }
  }

  /// Swaps the isa, beneath the observers.
  final func become(missing: Missing, _ entity: Entity) {
    self.missing = missing
    do {
      try RuntimeObject(self).setIsa(try entity.runtimeClass(missing: missing))
    } catch {
      preconditionFailure("\(self) cannot become another class: \(error)")
    }
  }

  fileprivate final func noteSet(of key: String, _ set: () -> Void) {
    guard let entity = try? Entity.of(Self.self), let context else { return set() }
    let old = try? primitiveValue(forKey: key)
    set()
    let new = try? primitiveValue(forKey: key)
    entity.columns.first { $0.key == key }?.noteSet(context, self, old ?? nil, new ?? nil)
    entity.arrays.first { $0.key == key }?.noteSet(context, self, old ?? nil, new ?? nil)
  }
}
