/// How the registration that a change was told to can be ended.
enum RegistrationEnding: Sendable {
  case closure(any RegistrationControl)
  case observer(RuntimeObject)

  func end(_ change: RuntimeChange) {
    switch self {
    case .closure(let control): control.invalidate()
    case .observer(let observer):
      // Somebody may have removed it before; then there is nothing to end.
      try? change.object.removeObserver(
        observer, forKeyPath: change.keyPath, context: change.context)
    }
  }
}
