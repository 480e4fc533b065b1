// Methods written as closures: the closure is the context of a trampoline.
//
// Owns:  the closure and the method's types.
// Lives: until the class that has the method is disposed of.
internal import CIsa

/// A method's closure with what is needed to call it.
final class MethodBox: Sendable {
  private let runtimeClass: RuntimeClass
  private let selector: RuntimeSelector
  private let result: RuntimeTypeEncoding
  private let arguments: [RuntimeTypeEncoding]
  private let body: @Sendable (RuntimeMethodCall) -> RuntimeValue

  init(
    _ cls: isa_class, _ selector: RuntimeSelector, _ encoding: RuntimeTypeEncoding,
    _ body: @escaping @Sendable (RuntimeMethodCall) -> RuntimeValue
  ) throws(KeyValueError) {
    let types = try encoding.types()
    // A message's name does not tell of the arguments beyond its colons, such as results.
    guard types.count >= selector.argumentCount + 3 else {
      let reason = "\(selector) takes at least \(selector.argumentCount) arguments besides “@:”"
      throw KeyValueError(.badEncoding, key: encoding.text, reason: reason)
    }
    runtimeClass = RuntimeClass(cls)
    self.selector = selector
    result = types[0]
    arguments = types[3...].map(\.asArgument)
    self.body = body
  }

  /// Runs the closure for one message, from argument addresses to the result's.
  fileprivate func run(_ result: Context?, _ addresses: UnsafePointer<Context?>) {
    let id = addresses[0]!.load(as: isa_id.self)
    let values = arguments.enumerated().map { RuntimeValue($1, at: addresses[$0 + 2]!) }
    let call = RuntimeMethodCall(
      receiver: RuntimeObject(retaining: id), selector: selector, arguments: values,
      declaringClass: runtimeClass)
    store(body(call), at: result)
  }

  private func store(_ value: RuntimeValue, at address: Context?) {
    guard let answer = try? value.converted(to: result) else {
      fatalError("\(runtimeClass) \(selector) returned \(value), which is no “\(result)”")
    }
    guard let address else { return }
    answer.store(at: address)
    guard let object = answer.object else { return }
    if returnsRetained(selector) { isa_object_retain(object.id) } else { keepAnswer(object.id) }
  }
}

/// Whether the caller of such a method takes over a +1: its name begins with the word `alloc`,
/// `new`, `copy` or `mutableCopy`.
func returnsRetained(_ selector: RuntimeSelector) -> Bool {
  let name = selector.name
  return ["alloc", "new", "copy", "mutableCopy"].contains { word in
    name.hasPrefix(word) && name.dropFirst(word.count).first?.isLowercase != true
  }
}

private let runMethod: isa_callback = { result, arguments, context in
  box(context, as: MethodBox.self).run(result, UnsafePointer(arguments!))
}

/// Adds a method to a class, which takes over the closure.
func add(_ method: MethodBox, to cls: isa_class, _ sel: isa_sel, _ types: String) -> isa_status {
  let context = retainedContext(method)
  let status = isa_class_add_callback(cls, sel, types, runMethod, context, releaseContext)
  if status != ISA_OK { releaseContext(context) }
  return status
}

/// The trampolines that replaced methods, by class: a class disposes only of the trampolines that
/// `isa_class_add_callback` gave it.
private let replacements = Locked<[isa_class: [isa_imp]]>([:])

/// Replaces a method of a class, which takes over the closure.
func replace(
  with method: MethodBox, in cls: isa_class, _ sel: isa_sel, _ types: String, _ old: inout isa_imp?
) -> isa_status {
  let context = retainedContext(method)
  var imp: isa_imp?
  let made = isa_imp_make(types, runMethod, context, releaseContext, &imp)
  guard made == ISA_OK, let imp else {
    releaseContext(context)
    return made
  }
  let status = isa_class_replace_method(cls, sel, imp, types, &old)
  if status == ISA_OK {
    replacements.withLock { $0[cls, default: []].append(imp) }
  } else {
    isa_imp_dispose(imp)
  }
  return status
}

/// Disposes of the trampolines that replaced methods of a class which is gone.
func disposeReplacements(of cls: isa_class) {
  for imp in replacements.withLock({ $0.removeValue(forKey: cls) }) ?? [] { isa_imp_dispose(imp) }
}
