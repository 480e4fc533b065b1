package import CIsa

/// How the setters of observed keys are wrapped.
public enum WrappingPolicy: String, CaseIterable, Sendable {
  /// By a compiled thunk where there is one for the setter's type, else by a libffi closure.
  case automatic
  /// By a libffi closure, for any type.
  case libffi
  /// As ``automatic``, leaving alone what Apple's runtime leaves alone.
  case asApple
}

extension WrappingPolicy: CoreEnum {
  package typealias Constant = kvo_wrapping
}
