import Testing

/// The kind of class that the objects of a case are of.
///
/// A case that can be said of both takes its kind as an argument, `Kind.allCases`; docs/behaviour.md
/// says why the others cannot.
enum Kind: CaseIterable, Sendable, CustomTestStringConvertible {
  /// A class made at run time.
  case runtime
  /// A Swift class that inherits from KVObject, used by Swift's own means.
  case swift

  var testDescription: String {
    switch self {
    case .runtime: "on a class made at run time"
    case .swift: "on a Swift class"
    }
  }
}
