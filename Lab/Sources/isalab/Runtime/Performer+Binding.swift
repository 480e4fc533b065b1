import IsaKVO
import IsaKVOBindings
import IsaRuntime

// Statements about bindings.

extension Performer {
  /// Binds a property; the binding's registrations are named after it.
  func bind(
    _ target: PropertyReference, to source: PropertyReference, isTwoWay: Bool
  ) throws(KeyValueError) {
    let (view, model) = (try view(target), try view(source))
    world.recorder.bindingName = "binding of \(target)"
    defer { world.recorder.bindingName = nil }
    if isTwoWay {
      try view.bind(\.width, to: model, \.width)
    } else {
      try view.follow(\.width, of: model, \.width)
    }
  }

  /// The object of Swift's whose property is meant.
  func view(_ reference: PropertyReference) throws(KeyValueError) -> SwiftView {
    let object = try world.object(reference.object)
    guard let view = object.unsafeSwiftObject as? SwiftView else {
      throw KeyValueError(.invalidArgument, reason: "\(reference.object) is no \(SwiftView.name)")
    }
    return view
  }
}
