extension RuntimeChange: MergeableChange {
  package func merged(with later: RuntimeChange) -> RuntimeChange? {
    guard kind == .setting, later.kind == .setting else { return nil }
    return RuntimeChange(
      keyPath: keyPath, object: object, oldValue: oldValue, newValue: later.newValue,
      context: context, cause: cause == later.cause ? cause : nil, ending: ending)
  }
}
