import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

/// A swizzler of somebody else's: moves one object's isa to a subclass whose setter surrounds the
/// inherited one with notes.
final class Hook {
  private let object: Subject
  private let hookClass: RuntimeClass
  private let before: RuntimeClass
  private let isOn: Shared<Bool>

  /// Hooks the setter of `key`: it notes 1, calls the setter above, and notes 3.
  init(_ stage: Stage, _ object: Subject, _ key: String, _ trace: Recorder<Int>) throws {
    let isOn = Shared(true)
    let setter = RuntimeSelector("set\(key.prefix(1).uppercased())\(key.dropFirst()):")
    let types = object.isa.method(setter)?.encoding ?? "v@:@"
    self.isOn = isOn
    self.object = object
    before = object.isa
    hookClass = try stage.define("Hook", superclass: before) {
      try $0.method(setter, types) { (call: RuntimeMethodCall) -> Void in
        if isOn.value { trace.add(1) }
        attempt { try call.callSuper() }
        if isOn.value { trace.add(3) }
      }
      try $0.method("hooked", "B@:") { _ in true }
    }
    try object.setIsa(hookClass)
  }

  /// Takes the hook away: the isa goes back where it is still the hook's; where another class was put
  /// below, the hook does nothing from now on.
  func cancel() throws {
    isOn.value = false
    if object.isa == hookClass { try object.setIsa(before) }
  }
}
