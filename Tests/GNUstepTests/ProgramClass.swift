import CIsa
import IsaKVOTestSupport

/// A class of a program, registered by its first instance or subclass.
final class ProgramClass {
  let cls: isa_class
  private let superclass: ProgramClass?
  private unowned let engine: Engine
  private var ivars: [String: ValueType] = [:]

  init(_ name: String, below superclass: ProgramClass?, in engine: Engine) throws {
    try superclass?.register()
    var cls: isa_class?
    let base = superclass?.cls ?? isa_root_class()
    try check(isa_class_pair_allocate(base, Engine.classPrefix + name, &cls))
    self.cls = cls!
    self.superclass = superclass
    self.engine = engine
  }

  deinit { disposeOfClass(cls) }

  func register() throws {
    if !isa_class_is_registered(cls) { try check(isa_class_pair_register(cls)) }
  }

  func makeInstance() throws -> Owned {
    try register()
    return try Owned { isa_object_allocate(cls, $0) }
  }

  /// Adds an ivar; one that is there, or comes too late, is passed over.
  func define(ivar name: String, _ type: ValueType) {
    let ownership = type.letter == "@" ? ISA_OWNERSHIP_RETAIN : ISA_OWNERSHIP_NONE
    if isa_class_add_ivar(cls, name, type.encoding, ownership) == ISA_OK { ivars[name] = type }
  }

  /// The ivars that hold objects, the superclass's among them.
  var objectIvars: [String] {
    ivars.filter { $0.value.letter == "@" }.map(\.key) + (superclass?.objectIvars ?? [])
  }

  func type(of ivar: String) throws -> ValueType {
    if let type = ivars[ivar] { return type }
    guard let superclass else { throw Raised.unknown }
    return try superclass.type(of: ivar)
  }

  /// Adds a method of one of the language's kinds; one that is there stays.
  func define(method kind: String, _ name: String?, _ detail: String?) throws {
    switch kind {
    case "noivars":
      let metaclass = isa_class_metaclass(cls)!
      addMethod(metaclass, "accessInstanceVariablesDirectly", "B@:") { $0.answer(false) }
    case "undefined": addUndefinedHooks()
    case "nilhook":
      add("setNilValueForKey:", "i@:*") { engine, call in
        engine.note("> nil \(call.text(2))")
        call.answer(ISA_OK)
      }
    case "validator": addValidator(try name.orUnknown())
    case "getter": try addGetter(try name.orUnknown(), try detail.orUnknown())
    case "setter": try addSetter(try name.orUnknown(), try detail.orUnknown())
    default: try addCollectionAccessor(kind, try name.orUnknown(), try detail.orUnknown())
    }
  }

  private func add(
    _ name: String, _ types: String, _ body: @escaping (Engine, MethodCall) -> Void
  ) {
    addMethod(cls, name, types) { [unowned engine] in body(engine, $0) }
  }

  // MARK: accessors

  private func addGetter(_ name: String, _ ivar: String) throws {
    let type = try type(of: ivar).encoding
    let size = Engine.size(of: type)
    add(name, "\(type)@:") { engine, call in
      if engine.tracesGetters { engine.note("> \(call.selector)") }
      call.result!.copyMemory(from: engine.bytes(of: ivar, call.receiver), byteCount: size)
    }
  }

  private func addSetter(_ name: String, _ ivar: String) throws {
    let type = try type(of: ivar).encoding
    add(name, "v@:\(type)") { engine, call in
      engine.note("> \(call.selector)")
      engine.store(type, call.arguments[2]!, engine.bytes(of: ivar, call.receiver))
    }
  }

  // MARK: accessors of collections

  private func addCollectionAccessor(_ kind: String, _ name: String, _ ivar: String) throws {
    guard let accessor = Self.accessors[kind] else { throw Raised.unknown }
    add(name, accessor.types) { engine, call in
      if let words = accessor.words(engine, call) {
        engine.note("> \(([call.selector] + words).joined(separator: " "))")
      }
      accessor.body(engine.bytes(of: ivar, call.receiver).load(as: isa_id?.self), call)
    }
  }

  private struct Accessor: Sendable {
    let types: String
    /// The trace of the call; nil if it only reads.
    let words: @Sendable (Engine, MethodCall) -> [String]?
    let body: @Sendable (isa_id?, MethodCall) -> Void
  }

  /// The object at the index asked for, which the array keeps alive.
  private static func lent(_ array: isa_id?, _ call: MethodCall) -> isa_id? {
    var object: isa_id?
    kvc_ordered_copy_object(array, call.index(2), &object)
    isa_object_release(object)
    return object
  }

  private static let accessors: [String: Accessor] = [
    "count": Accessor(
      types: "Q@:", words: { _, _ in nil }, body: { $1.answer(kvc_collection_count($0)) }),
    "object": Accessor(types: "@@:Q", words: { _, _ in nil }, body: { $1.answer(lent($0, $1)) }),
    "insert": Accessor(
      types: "v@:@Q", words: { [$0.describe($1.object(2)), "\($1.index(3))"] },
      body: { kvc_ordered_insert($0, $1.object(2), $1.index(3)) }),
    "removal": Accessor(
      types: "v@:Q", words: { ["\($1.index(2))"] }, body: { kvc_ordered_remove($0, $1.index(2)) }),
    "replace": Accessor(
      types: "v@:Q@", words: { ["\($1.index(2))", $0.describe($1.object(3))] },
      body: { kvc_ordered_replace($0, $1.index(2), $1.object(3)) }),
    "add": Accessor(
      types: "v@:@", words: { [$0.describe($1.object(2))] },
      body: { kvc_collection_add($0, $1.object(2)) }),
    "take": Accessor(
      types: "v@:@", words: { [$0.describe($1.object(2))] },
      body: { kvc_collection_remove($0, $1.object(2)) }),
  ]

  // MARK: hooks

  private func addUndefinedHooks() {
    add("valueForUndefinedKey:", "i@:*^@") { engine, call in
      engine.note("> undefined \(call.text(2))")
      let out = call.argument(3, as: UnsafeMutablePointer<isa_id?>.self)
      call.answer(kvc_string_make("undefined \(call.text(2))", out))
    }
    add("setValue:forUndefinedKey:", "i@:@*") { engine, call in
      engine.note("> undefined \(call.text(3)) \(engine.describe(call.object(2)))")
      call.answer(ISA_OK)
    }
  }

  /// Lets numbers pass, replaces strings by the number 7, and refuses anything else.
  private func addValidator(_ name: String) {
    add(name, "B@:^@^@") { engine, call in
      let value = call.argument(2, as: UnsafeMutablePointer<isa_id?>.self)
      engine.note("> \(call.selector) \(engine.describe(value.pointee))")
      let kind = kvc_kind_of(value.pointee)
      if kind == KVC_KIND_STRING { kvc_number_make_integer(7, value) }
      call.answer(kind == KVC_KIND_STRING || kind == KVC_KIND_NUMBER)
    }
  }
}

extension Optional {
  /// The value that a program must give here.
  func orUnknown() throws -> Wrapped {
    guard let self else { throw Raised.unknown }
    return self
  }
}
