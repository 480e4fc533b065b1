internal import CIsa

/// How the setters of observed keys are wrapped.
public enum WrappingPolicy: String, CaseIterable, Sendable {
  /// By a compiled thunk where there is one for the setter's type, else by a libffi closure.
  case automatic
  /// By a libffi closure, whatever the type.
  case libffi
  /// As ``automatic``, leaving alone what Apple's runtime leaves alone.
  case asApple

  init(_ wrapping: kvo_wrapping) {
    self =
      switch wrapping {
      case KVO_WRAP_LIBFFI: .libffi
      case KVO_WRAP_AS_APPLE: .asApple
      default: .automatic
      }
  }

  var constant: kvo_wrapping {
    switch self {
    case .automatic: KVO_WRAP_AUTOMATIC
    case .libffi: KVO_WRAP_LIBFFI
    case .asApple: KVO_WRAP_AS_APPLE
    }
  }
}
