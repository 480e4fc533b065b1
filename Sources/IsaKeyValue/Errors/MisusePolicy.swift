/// The answer to a mistake of calls that have no way to throw: calls that take Swift key paths,
/// calls under Apple's names, and `KVObject.observeValue(forKeyPath:of:change:context:)` that
/// nobody has overridden.
public enum MisusePolicy: Sendable {
  /// One line to the handler that ``KeyValueSettings/misuseHandler`` sets, and on it goes.
  case report
  /// The process stops with that line.
  case strict
}
