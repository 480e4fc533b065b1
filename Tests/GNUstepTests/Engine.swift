import CIsa

/// Runs programs over this project's engine, as Tests/GNUstep/driver.m does over Foundation.
final class Engine {
  static let classPrefix = "Program_"

  private(set) var trace: [[String]] = []
  private(set) var tracesGetters = false
  private(set) var classes: [String: ProgramClass] = [:]
  private var variables: [String: Owned] = [:]
  private var instances: [(object: Owned, cls: ProgramClass)] = []
  private var registrations: [(object: Owned, path: String)] = []
  private var observerClass: ProgramClass!
  private var observer: Owned!

  static func run(_ program: [String]) throws -> [[String]] {
    let engine = try Engine()
    isa_set_misuse_handler(
      { error, context in
        let engine = Unmanaged<Engine>.fromOpaque(context!).takeUnretainedValue()
        engine.note("! \(String(cString: error!.pointee.exception))")
      }, Unmanaged.passUnretained(engine).toOpaque())
    defer { isa_set_misuse_handler(nil, nil) }
    for line in program { engine.run(line) }
    engine.stop()
    return engine.trace
  }

  private init() throws {
    observerClass = try ProgramClass("Observer", below: nil, in: self)
    observer = try observerClass.makeInstance()
    let selector = "observeValueForKeyPath:ofObject:change:context:"
    addMethod(observerClass.cls, selector, "v@:*@^v^v") { [unowned self] call in
      told(call.argument(4, as: UnsafePointer<kvo_change>.self).pointee)
    }
  }

  func note(_ line: String) { trace[trace.count - 1].append(line) }

  private func told(_ change: kvo_change) {
    let object = name(of: change.object!) ?? describe(change.object)
    let old = placeholder(change.old_value), new = placeholder(change.new_value)
    let path = String(cString: change.key_path)
    note("* \(object).\(path) \(change.kind.rawValue): \(old) to \(new)")
  }

  /// A value as a change dictionary has it, in which null stands for nil.
  private func placeholder(_ value: kvc_value) -> String {
    let text = describe(value)
    return text == "nil" ? "null" : text
  }

  /// Lets go of all that the program made; objects that refer to one another keep nothing alive.
  private func stop() {
    for (object, path) in registrations {
      kvo_remove_observer(object.id, observer.id, path)
    }
    registrations = []
    for (object, cls) in instances {
      for ivar in cls.objectIvars { store("@", nil, bytes(of: ivar, object.id!)) }
    }
    variables = [:]
    instances = []
    observer = nil
    // A class goes after those below it: each holds the one above it.
    classes = [:]
    observerClass = nil
  }

  /// The variable that holds the object.
  func name(of object: isa_id) -> String? {
    variables.first { $0.value.id == object }?.key
  }

  func named(_ name: String) throws -> Owned {
    if name == "nil" { return Owned(adopting: nil) }
    if name == "null" { return Owned(retaining: kvc_null()) }
    if let variable = variables[name] { return variable }
    return Owned(retaining: isa_class_as_object(try classes[name].orUnknown().cls))
  }

  // MARK: commands

  private func run(_ line: String) {
    trace.append([])
    tracesGetters = false
    do {
      try perform(Words(line))
    } catch let raised as Raised {
      note("! \(raised.name)")
    } catch {
      note("! \(error)")
    }
  }

  private func perform(_ words: Words) throws {
    switch words.verb {
    case "class", "ivar", "method", "new", "let": try define(words)
    case "read", "poke", "call", "show": try touch(words)
    case "get", "set", "path", "setpath": try code(words)
    case "validate", "validatepath": try validate(words)
    case "values", "setvalues": try codeMany(words)
    case "proxy", "add", "take", "clear", "insert", "remove", "replace": try change(words)
    case "observe", "unobserve": try observe(words)
    default: note("? \(words.verb)")
    }
  }

  private func define(_ words: Words) throws {
    let name = try words.text(1)
    switch words.verb {
    case "class":
      let superclass = try words.text(2)
      let above = superclass == "-" ? nil : try classes[superclass].orUnknown()
      classes[name] = try ProgramClass(name, below: above, in: self)
    case "ivar":
      let type = try words.text(3).first.flatMap { ValueType($0) }.orUnknown()
      try classes[name].orUnknown().define(ivar: try words.text(2), type)
    case "method":
      try classes[name].orUnknown().define(
        method: try words.text(2), try? words.text(3), try? words.text(4))
    case "new":
      let cls = try classes[try words.text(2)].orUnknown()
      let object = try cls.makeInstance()
      instances.append((object, cls))
      variables[name] = object
    default:
      let value = try make(try words.literal(2))
      if value.id != nil { variables[name] = value }
    }
  }

  private func touch(_ words: Words) throws {
    let object = try object(words)
    switch words.verb {
    case "show": note("= \(describe(object))")
    case "call": try call(object, words)
    default:
      let cls = try instances.first { $0.object.id == object }.orUnknown().cls
      let type = try cls.type(of: try words.text(2)).encoding
      let bytes = bytes(of: try words.text(2), object!)
      if words.verb == "read" {
        note("= \(describe(type, bytes))")
      } else {
        try withBytes(of: try words.literal(3), type) { store(type, $0, bytes) }
      }
    }
  }

  /// Calls a method that takes one value of its own type.
  private func call(_ object: isa_id?, _ words: Words) throws {
    let selector = isa_sel_register(try words.text(2))
    let method = try isa_class_find_method(isa_object_get_class(object), selector).orUnknown()
    var type: UnsafeMutablePointer<CChar>?
    try check(isa_encoding_copy_type(isa_method_types(method), 3, &type))
    defer { isa_free(type) }
    try withBytes(of: try words.literal(3), String(cString: type!)) { bytes in
      var argument: UnsafeMutableRawPointer? = bytes
      try check(isa_invoke_message(object, selector, &argument, nil))
    }
  }

  private func code(_ words: Words) throws {
    let object = try object(words), key = try words.text(2)
    switch words.verb {
    case "get":
      // The order in which a set asks its members is not compared.
      tracesGetters = kvc_kind_of(object) != KVC_KIND_SET
      note("= \(try Owned { kvc_copy_value(object, key, $0) }.use(describe))")
    case "path": note("= \(try Owned { kvc_copy_value_for_path(object, key, $0) }.use(describe))")
    case "set": try check(try make(words.literal(3)).use { kvc_set_value(object, key, $0) })
    default: try check(try make(words.literal(3)).use { kvc_set_value_for_path(object, key, $0) })
    }
  }

  private func validate(_ words: Words) throws {
    let given = try make(try words.literal(3)), key = try words.text(2)
    var value = given.id, error: isa_id?, isValid = false
    let ask = words.verb == "validate" ? kvc_validate_value : kvc_validate_value_for_path
    try check(ask(try object(words), key, &value, &error, &isValid))
    withExtendedLifetime(given) { note("= \(isValid ? "yes" : "no") \(describe(value))") }
    if value != given.id { isa_object_release(value) }
    isa_object_release(error)
  }

  private func codeMany(_ words: Words) throws {
    let object = try object(words), many = try make(try words.literal(2))
    if words.verb == "setvalues" {
      return try check(many.use { kvc_set_values(object, $0) })
    }
    let values = try many.use { keys in try Owned { kvc_copy_values(object, keys, $0) } }
    note("= \(values.use(describe))")
  }

  private func change(_ words: Words) throws {
    let name = try words.text(1)
    if words.verb == "proxy" {
      let isArray = try words.text(2) == "array"
      let copy = isArray ? kvc_proxy_make_array_for_path : kvc_proxy_make_set_for_path
      let owner = try variables[try words.text(3)].orUnknown().id, path = try words.text(4)
      variables[name] = try Owned { copy(owner, path, $0) }
      return
    }
    let object = try object(words)
    func index() throws -> Int { try Int(try words.text(2)).orUnknown() }
    func value(_ index: Int) throws -> Owned { try make(words.literal(index)) }
    let status =
      switch words.verb {
      case "add": try value(2).use { kvc_collection_add(object, $0) }
      case "take": try value(2).use { kvc_collection_remove(object, $0) }
      case "clear": kvc_collection_remove_all(object)
      case "insert": try value(3).use { kvc_ordered_insert(object, $0, try index()) }
      case "remove": kvc_ordered_remove(object, try index())
      default: try value(3).use { kvc_ordered_replace(object, try index(), $0) }
      }
    try check(status)
  }

  private func observe(_ words: Words) throws {
    let object = try object(words), path = try words.text(2)
    if words.verb == "observe" {
      let options = UInt32(KVO_OPTION_NEW | KVO_OPTION_OLD)
      try check(kvo_add_observer(object, observer.id, path, options, nil))
      registrations.append((Owned(retaining: object), path))
    } else {
      try check(kvo_remove_observer(object, observer.id, path))
      registrations.removeAll { $0.object.id == object && $0.path == path }
    }
  }

  private func object(_ words: Words) throws -> isa_id? {
    try variables[try words.text(1)].orUnknown().id
  }
}
