/// How the registration that a change was told to can be ended.
enum RegistrationEnding: Sendable {
  case closure(RegistrationHandle)
  case observer(RuntimeObject)

  func end(_ change: Change) {
    switch self {
    case .closure(let handle): handle.invalidate()
    case .observer(let observer):
      // Somebody may have removed it before; then there is nothing to end.
      try? change.object.removeObserver(
        observer, forKeyPath: change.keyPath, context: change.context)
    }
  }
}
