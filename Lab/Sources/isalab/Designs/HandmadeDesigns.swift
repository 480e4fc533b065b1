import CIsa
import IsaRuntime

// Designs that swap the isa themselves: a class pair at run time, a setter, an isa swap.

extension Designs {
  static let handmade = DesignInfo(
    name: "handmade", title: "hand-made KVO, as tutorials build it",
    source: """
      The pattern of the block-based tutorials: a subclass by a prefix, one setter for all that \
      takes its value as an object, blocks in an associated object, called on a queue; the isa \
      stays. One key, no options, no contexts. The queue's work is waited for here.
      """
  ) { stage in HandmadeDesign(stage) }

  static let easykvo = DesignInfo(
    name: "easykvo", title: "EasyKVO (jerodji)",
    source: """
      Behaviour read off its published source: one table for the process, keyed by class and key, \
      emptied by the death of any object that it observes; the setter skips the original for an \
      equal value and calls the blocks all the same; nothing can be removed.
      """
  ) { stage in EasyDesign(stage) }

  static let swizzlers = DesignInfo(
    name: "swizzlers", title: "isa-swizzlers that put back what they found",
    source: """
      The pattern of interceptors beside KVO: each makes a subclass of the class that it finds in \
      the isa, and puts that class back when it leaves.
      """
  ) { stage in SwizzlersDesign(stage) }
}

/// The common base of the hand-made designs: one key of one object, and nothing else.
class SetterDesign: ObservingDesign {
  let stage: DesignStage

  init(_ stage: DesignStage) { self.stage = stage }

  func obstacle(to statement: Statement) -> String? {
    switch statement.kind {
    case .observe(let observe): obstacle(to: observe)
    case .removeObserver(let remove) where remove.context != nil: "a context"
    case .removeObserver(let remove) where remove.indexes != nil: "elements of an array"
    case .willChange, .didChange, .willEdit, .didEdit: "a change announced by hand"
    case .shared, .share: "shared observers"
    case .wrap: "a choice of wrappers"
    case .query(let query): obstacle(to: query)
    default: nil
    }
  }

  private func obstacle(to statement: ObserveStatement) -> String? {
    if statement.indexes != nil { return "elements of an array" }
    if statement.target.keys.count > 1 { return "a key path" }
    if statement.context != 0 { return "a context" }
    let others = Set(statement.options).subtracting([.old, .new]).map(\.rawValue).sorted()
    return others.first.map { "the option \($0)" }
  }

  private func obstacle(to query: Query) -> String? {
    switch query {
    case .registrations, .affected, .pending: "a list of who observes"
    default: nil
    }
  }

  func observe(_ statement: ObserveStatement) throws(Refusal) -> Bool {
    let object = try stage.world.object(statement.target.object)
    let key = statement.target.path
    let name = "set" + key.prefix(1).uppercased() + key.dropFirst() + ":"
    let selector = stage.world.selector(name)
    guard let method = isa_class_find_method(isa_object_get_class(object), selector) else {
      throw Refusal(
        exception: "NSInvalidArgumentException",
        reason: "\(stage.names.name(of: object)) does not have a setter for key \(key)")
    }
    let observer =
      statement.observer?.text ?? statement.token?.text ?? stage.performer.nextObserverName()
    try add(Block(observer: observer, key: key), to: object, method)
    return true
  }

  /// The observer to tell, and the key.
  struct Block {
    var observer: String
    var key: String
  }

  func add(_ block: Block, to object: isa_id, _ method: isa_method) throws(Refusal) {}
  func remove(_ statement: RemoveStatement) throws(Refusal) -> Bool { false }
  func remove(token: String) throws(Refusal) -> Bool { false }

  /// The key that a setter's name stands for.
  static func key(of selector: isa_sel) -> String {
    let name = String(cString: isa_sel_name(selector)).dropFirst(3).dropLast()
    return name.prefix(1).lowercased() + name.dropFirst()
  }

  /// The value as an object, for the caller to release.
  static func copyValue(of key: String, _ object: isa_id) -> isa_id? {
    var value: isa_id?
    return kvc_copy_value(object, key, &value) == ISA_OK ? value : nil
  }
}

/// A setter that takes whatever comes as an object.
typealias ObjectSetter = @convention(c) (isa_id, isa_sel, isa_id?) -> Void

/// A design whose setters all have that one piece of code.
class ObjectSetterDesign: SetterDesign {
  /// C code has no place for a context of its own.
  nonisolated(unsafe) private static weak var current: ObjectSetterDesign?

  override init(_ stage: DesignStage) {
    super.init(stage)
    ObjectSetterDesign.current = self
  }

  /// Moves the object to the subclass, and gives that the setter if it has none.
  func swizzle(_ object: isa_id, _ prefix: String, _ method: isa_method) throws(Refusal)
    -> isa_class
  {
    let original = stage.claimedClass(of: object)
    let cls = try stage.subclass(
      prefix + stage.names.className(RuntimeClass(original)), of: original)
    let types = isa_method_types(method)!
    let code = ObjectSetterDesign.code(String(cString: types))
    let status = isa_class_add_method(
      cls, isa_method_selector(method), unsafeBitCast(code, to: isa_imp.self), types)
    if status != ISA_ERR_EXISTS { try refusing(status) }
    if isa_object_get_class(object) != cls { try refusing(isa_object_set_class(object, cls, nil)) }
    return cls
  }

  /// The setter. A value that travels elsewhere leaves in the register what stood there before: that
  /// is played by a word that is no object's address, so that each run shows the same.
  private static func code(_ types: String) -> ObjectSetter {
    let value = PassedType.list(ofMethod: types)?.last
    guard let value, SystemV.classes(of: value).first != .integer else {
      return { ObjectSetterDesign.current?.set($0, $1, $2) }
    }
    return { object, selector, _ in
      ObjectSetterDesign.current?.set(object, selector, isa_id(bitPattern: 0x10))
    }
  }

  func callOriginal(_ object: isa_id, _ selector: isa_sel, _ value: isa_id?) {
    let superclass = isa_class_superclass(isa_object_get_class(object))
    unsafeBitCast(isa_class_find_imp(superclass, selector), to: ObjectSetter.self)(
      object, selector, value)
  }

  func set(_ object: isa_id, _ selector: isa_sel, _ value: isa_id?) {}
}

/// Blocks in an associated object, called elsewhere.
final class HandmadeDesign: ObjectSetterDesign {
  /// The association's key: its address.
  private nonisolated(unsafe) static let blocksKey = UnsafeMutableRawPointer.allocate(
    byteCount: 1, alignment: 1)
  /// By the address of the associated object, which takes its blocks along.
  private var blocks: [UInt: [Block]] = [:]
  private var tableClass: isa_class?
  private var tokens: [String: isa_id] = [:]

  override func add(_ block: Block, to object: isa_id, _ method: isa_method) throws(Refusal) {
    _ = try swizzle(object, "Handmade_", method)
    blocks[try table(of: object), default: []].append(block)
  }

  override func remove(_ statement: RemoveStatement) throws(Refusal) -> Bool {
    let object = try stage.world.object(statement.target.object)
    guard let table = findTable(of: object) else { return true }
    // The tutorials look for observer and key, and say nothing where there is no such block.
    let index = blocks[table]?.firstIndex {
      $0.observer == statement.observer.text && $0.key == statement.target.path
    }
    if let index { blocks[table]?.remove(at: index) }
    return true
  }

  override func remove(token: String) throws(Refusal) -> Bool {
    for table in blocks.keys { blocks[table]?.removeAll { $0.observer == token } }
    return true
  }

  override func set(_ object: isa_id, _ selector: isa_sel, _ value: isa_id?) {
    let key = SetterDesign.key(of: selector)
    let old = SetterDesign.copyValue(of: key, object)
    defer { isa_object_release(old) }
    callOriginal(object, selector, value)
    let told = findTable(of: object).flatMap { blocks[$0] } ?? []
    for block in told where block.key == key {
      // A block keeps what it is given: here the value must be an object.
      let kept = isa_object_retain(value)
      defer { isa_object_release(kept) }
      elsewhere { self.stage.tell(block.observer, of: object, key, old: old, new: kept) }
    }
  }

  private func elsewhere(_ body: @escaping () -> Void) {
    let wasElsewhere = stage.recorder.isElsewhere
    stage.recorder.isElsewhere = true
    OtherThread.run(body)
    stage.recorder.isElsewhere = wasElsewhere
  }

  private func findTable(of object: isa_id) -> UInt? {
    guard let table = isa_object_copy_associated(object, HandmadeDesign.blocksKey) else {
      return nil
    }
    defer { isa_object_release(table) }
    return UInt(bitPattern: table)
  }

  private func table(of object: isa_id) throws(Refusal) -> UInt {
    if let table = findTable(of: object) { return table }
    var made: isa_id?
    try refusing(isa_object_allocate(try tables(), &made))
    defer { isa_object_release(made) }
    try refusing(
      isa_object_set_associated(object, HandmadeDesign.blocksKey, made, ISA_ASSOCIATION_RETAIN))
    return UInt(bitPattern: made)
  }

  private func tables() throws(Refusal) -> isa_class {
    if let tableClass { return tableClass }
    let made = try stage.world.makeClass("BlockTable", superclass: nil) { cls throws(Refusal) in
      try Method.add("dealloc", "v@:", to: cls) { [unowned self] table, _, _ in
        self.blocks[UInt(bitPattern: table)] = nil
      }
    }
    tableClass = made
    return made
  }
}

/// One table for everybody.
final class EasyDesign: ObjectSetterDesign {
  /// By class and key, whatever the object.
  private var blocks: [String: [Block]] = [:]

  override func obstacle(to statement: Statement) -> String? {
    switch statement.kind {
    case .removeToken, .removeObserver: "removal"
    default: super.obstacle(to: statement)
    }
  }

  override func add(_ block: Block, to object: isa_id, _ method: isa_method) throws(Refusal) {
    let cls = try swizzle(object, "Easy_", method)
    try addDealloc(to: cls)
    blocks["\(stage.names.className(RuntimeClass(cls))).\(block.key)", default: []].append(block)
  }

  private func addDealloc(to cls: isa_class) throws(Refusal) {
    if RuntimeClass(cls).methods.contains(where: { $0.selector == "dealloc" }) { return }
    try Method.add("dealloc", "v@:", to: cls) { [unowned self] _, _, _ in self.blocks = [:] }
  }

  override func set(_ object: isa_id, _ selector: isa_sel, _ value: isa_id?) {
    let key = SetterDesign.key(of: selector)
    let old = SetterDesign.copyValue(of: key, object)
    defer { isa_object_release(old) }
    // isEqual: is a message to the old value, or to nothing, which answers no.
    if old == nil || !kvc_is_equal(old, value) { callOriginal(object, selector, value) }
    let cls = stage.names.className(RuntimeClass(isa_object_get_class(object)!))
    for block in blocks["\(cls).\(key)"] ?? [] {
      stage.tell(block.observer, of: object, key, old: old, new: value)
    }
  }
}

/// Each registration is a swizzler of its own.
final class SwizzlersDesign: SetterDesign {
  private struct Swizzler {
    var object: isa_id
    var key: String
    /// The isa before.
    var found: isa_class
  }

  private var swizzlers: [String: [Swizzler]] = [:]
  private var made: Set<isa_class> = []

  override func add(_ block: Block, to object: isa_id, _ method: isa_method) throws(Refusal) {
    let found = isa_object_get_class(object)!
    let name =
      "Swizzler\(made.count + 1)_" + stage.names.className(RuntimeClass(original(of: found)))
    let cls = try stage.subclass(name, of: found)
    made.insert(cls)
    let selector = isa_method_selector(method)!
    let types = String(cString: isa_method_types(method))
    try Method.add(String(cString: isa_sel_name(selector)), types, to: cls) {
      [unowned self] object, _, arguments in
      let old = SetterDesign.copyValue(of: block.key, object)
      SwizzlersDesign.callOriginal(of: cls, object, selector, types, arguments[0])
      let new = SetterDesign.copyValue(of: block.key, object)
      stage.tell(block.observer, of: object, block.key, old: old, new: new)
      isa_object_release(old)
      isa_object_release(new)
    }
    try refusing(isa_object_set_class(object, cls, nil))
    swizzlers[block.observer, default: []].append(
      Swizzler(object: object, key: block.key, found: found))
  }

  /// The class below all swizzlers' own.
  private func original(of cls: isa_class) -> isa_class {
    var cls = cls
    while made.contains(cls) { cls = isa_class_superclass(cls) }
    return cls
  }

  private static func callOriginal(
    of cls: isa_class, _ object: isa_id, _ selector: isa_sel, _ types: String,
    _ value: UnsafeMutableRawPointer?
  ) {
    var (object, selector): (isa_id?, isa_sel?) = (object, selector)
    let original = isa_lookup_super(cls, selector)
    withUnsafeMutablePointer(to: &object) { object in
      withUnsafeMutablePointer(to: &selector) { selector in
        let arguments = [UnsafeMutableRawPointer(object), UnsafeMutableRawPointer(selector), value]
        _ = isa_invoke(original, types, arguments, nil)
      }
    }
  }

  override func remove(_ statement: RemoveStatement) throws(Refusal) -> Bool {
    let object = try stage.world.object(statement.target.object)
    let name = statement.observer.text
    let index = swizzlers[name]?.lastIndex {
      $0.object == object && $0.key == statement.target.path
    }
    if let index { try leave(swizzlers[name]!.remove(at: index)) }
    return true
  }

  override func remove(token: String) throws(Refusal) -> Bool {
    if let swizzler = swizzlers[token]?.popLast() { try leave(swizzler) }
    return true
  }

  private func leave(_ swizzler: Swizzler) throws(Refusal) {
    try refusing(isa_object_set_class(swizzler.object, swizzler.found, nil))
  }
}
