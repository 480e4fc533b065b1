// Designs that swap the isa themselves: a class pair at run time, a setter, an isa swap.
//
// Their setters have one signature, whatever a property's type is, and take a value that is no object as
// one: that is their mistake, and the core's own calls are here to make it.
import CIsa
import IsaRuntime

extension Designs {
  static let swizzlers = DesignInfo(
    name: "swizzlers", title: Text("design.swizzlers"),
    source: Text("design.swizzlers-source")
  ) { stage in SwizzlersDesign(stage) }
}

/// The common base of the hand-made designs: one key of one object, and nothing else.
class SetterDesign: ObservingDesign {
  let stage: DesignStage

  init(_ stage: DesignStage) { self.stage = stage }

  func obstacle(to statement: Statement) -> Text? {
    switch statement.kind {
    case .observe(let observe): obstacle(to: observe)
    case .removeToken, .removeObserver:
      hasRemoval ? obstacle(toRemoval: statement) : Text("design.removal")
    case .willChange, .didChange, .willEdit, .didEdit: Text("design.by-hand")
    case .shared, .share: Text("design.shared")
    case .wrap: Text("design.wrappers")
    case .query(let query): obstacle(to: query)
    default: nil
    }
  }

  /// Whether what was added can be removed.
  var hasRemoval: Bool { true }

  private func obstacle(toRemoval statement: Statement) -> Text? {
    switch statement.kind {
    case .removeObserver(let remove) where remove.context != nil: Text("design.a-context")
    case .removeObserver(let remove) where remove.indexes != nil: Text("design.elements")
    default: nil
    }
  }

  private func obstacle(to statement: ObserveStatement) -> Text? {
    if statement.indexes != nil { return Text("design.elements") }
    if statement.target.keys.count > 1 { return Text("design.key-path") }
    if statement.context != 0 { return Text("design.a-context") }
    let others = Set(statement.options).subtracting([.old, .new]).map(\.rawValue).sorted()
    return others.first.map { Text("design.option", ["name": $0]) }
  }

  private func obstacle(to query: Query) -> Text? {
    switch query {
    case .registrations, .affected, .pending: Text("design.who-observes")
    default: nil
    }
  }

  func observe(_ statement: ObserveStatement) throws(KeyValueError) -> Bool {
    let object = try stage.world.object(statement.target.object)
    let key = statement.target.path
    let name = "set\(key.capitalisedFirst):"
    guard let method = object.isa.method(RuntimeSelector(name)) else {
      throw KeyValueError(
        .invalidArgument,
        reason: "\(stage.names.name(of: object)) does not have a setter for key \(key)")
    }
    let observer =
      statement.observer?.text ?? statement.token?.text ?? stage.performer.nextObserverName()
    try add(Block(observer: observer, key: key), to: object, method)
    return true
  }

  /// The observer to tell, and the key.
  struct Block: Sendable {
    var observer: String
    var key: String
  }

  func add(
    _ block: Block, to object: RuntimeObject, _ method: RuntimeMethod
  ) throws(KeyValueError) {}
  func remove(_ statement: RemoveStatement) throws(KeyValueError) -> Bool { false }
  func remove(token: String) throws(KeyValueError) -> Bool { false }
  func willRelease(_ name: String) {}
  func end() {}

  /// The key that a setter's name stands for.
  static func key(of selector: String) -> String {
    let name = selector.dropFirst(3).dropLast()
    return name.prefix(1).lowercased() + name.dropFirst()
  }

  /// The value as an object.
  static func value(of key: String, _ object: RuntimeObject) -> RuntimeObject? {
    guard let value = try? object.value(forKey: key), !value.isNil else { return nil }
    return try? value.boxed()
  }
}

/// A setter that takes whatever comes as an object.
typealias ObjectSetter = @convention(c) (isa_id, isa_sel, isa_id?) -> Void

/// One message to such a setter.
struct ObjectSetterCall {
  fileprivate let id: isa_id
  fileprivate let selector: isa_sel
  fileprivate let word: isa_id?

  var object: RuntimeObject { RuntimeObject(id) }
  var key: String { SetterDesign.key(of: String(cString: isa_sel_name(selector))) }
  /// The value, which must be an object to be kept.
  var value: RuntimeObject? { word.map { RuntimeObject($0) } }

  func callOriginal() {
    let superclass = isa_class_superclass(isa_object_get_class(id))
    let original = isa_class_find_imp(superclass, selector)
    unsafeBitCast(original, to: ObjectSetter.self)(id, selector, word)
  }
}

/// A design whose setters all have that one piece of code.
class ObjectSetterDesign: SetterDesign {
  /// C code has no place for a context of its own.
  nonisolated(unsafe) private static weak var current: ObjectSetterDesign?

  override init(_ stage: DesignStage) {
    super.init(stage)
    ObjectSetterDesign.current = self
  }

  /// Moves the object to the subclass, and gives that the setter if it has none.
  func swizzle(
    _ object: RuntimeObject, _ prefix: String, _ method: RuntimeMethod
  ) throws(KeyValueError) -> RuntimeClass {
    let original = object.class
    let cls = try stage.subclass(prefix + stage.names.name(of: original), of: original)
    let types = method.encoding.text
    let code = unsafeBitCast(ObjectSetterDesign.code(types), to: isa_imp.self)
    let selector = isa_sel_register(method.selector.name)
    let status = isa_class_add_method(cls.cls, selector, code, types)
    if status != ISA_ERR_EXISTS { try refusing(status) }
    if object.isa != cls { try object.setIsa(cls) }
    return cls
  }

  /// The setter. A value that travels elsewhere leaves in the register what stood there before: that
  /// is played by a word that is no object's address, so that each run shows the same.
  private static func code(_ types: String) -> ObjectSetter {
    let value = PassedType.list(ofMethod: types)?.last
    guard let value, SystemV.classes(of: value).first != .integer else {
      return { ObjectSetterDesign.current?.set(.init(id: $0, selector: $1, word: $2)) }
    }
    return { object, selector, _ in
      let word = isa_id(bitPattern: 0x10)
      ObjectSetterDesign.current?.set(.init(id: object, selector: selector, word: word))
    }
  }

  func set(_ call: ObjectSetterCall) {}
}

/// Each registration is a swizzler of its own.
final class SwizzlersDesign: SetterDesign {
  private struct Swizzler {
    var object: UInt
    var key: String
    /// The isa before.
    var found: RuntimeClass
  }

  private var swizzlers: [String: [Swizzler]] = [:]
  private var made: Set<RuntimeClass> = []

  override func add(
    _ block: Block, to object: RuntimeObject, _ method: RuntimeMethod
  ) throws(KeyValueError) {
    let found = object.isa
    let name = "Swizzler\(made.count + 1)_" + stage.names.name(of: original(of: found))
    let cls = try stage.subclass(name, of: found)
    made.insert(cls)
    let stage = Unowned(self.stage)
    try cls.addMethod(method.selector, method.encoding) { call -> Void in
      let old = SetterDesign.value(of: block.key, call.receiver)
      _ = try? call.callSuper()
      let new = SetterDesign.value(of: block.key, call.receiver)
      stage.object.tell(block.observer, of: call.receiver, block.key, old: old, new: new)
    }
    try object.setIsa(cls)
    swizzlers[block.observer, default: []].append(
      Swizzler(object: object.address, key: block.key, found: found))
  }

  /// The class below all swizzlers' own.
  private func original(of cls: RuntimeClass) -> RuntimeClass {
    var cls = cls
    while made.contains(cls), let superclass = cls.superclass { cls = superclass }
    return cls
  }

  override func remove(_ statement: RemoveStatement) throws(KeyValueError) -> Bool {
    let object = try stage.world.object(statement.target.object).address
    let name = statement.observer.text
    let index = swizzlers[name]?.lastIndex {
      $0.object == object && $0.key == statement.target.path
    }
    if let index { try leave(swizzlers[name]!.remove(at: index)) }
    return true
  }

  override func remove(token: String) throws(KeyValueError) -> Bool {
    if let swizzler = swizzlers[token]?.popLast() { try leave(swizzler) }
    return true
  }

  private func leave(_ swizzler: Swizzler) throws(KeyValueError) {
    try RuntimeObject(unsafeAddress: swizzler.object).setIsa(swizzler.found)
  }
}
