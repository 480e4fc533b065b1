public import Foundation
public import IsaKeyValue

extension KeyValueError: LocalizedError {
  /// The failure, in one line, and the cure if there is one: as `"\(error)"` has it.
  public var errorDescription: String? { description }

  /// The failure in Foundation's wording, where it has one.
  public var failureReason: String? { reason }

  /// The step that the caller may take about it; nil if none is known.
  public var recoverySuggestion: String? { cure }
}
