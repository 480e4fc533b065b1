/// Foundation's way to wrap a setter, which takes no libffi.
enum AppleWrapper: Hashable, Sendable {
  /// One of its 18 functions, compiled in advance: 13 scalars, objects, four structs.
  case compiled
  /// The slot leads to the runtime's message forwarding.
  case forwarding
  case none

  private static let letters: Set<Character> = [
    "c", "C", "s", "S", "i", "I", "l", "L", "q", "Q", "f", "d", "B", "@", "#",
  ]
  private static let structures: Set<Substring> = [
    "CGPoint", "CGSize", "CGRect", "_NSPoint", "_NSSize", "_NSRect", "_NSRange",
  ]

  /// - Parameter encoding: The argument's.
  init(_ encoding: String) {
    if encoding.hasPrefix("{") {
      let name = encoding.dropFirst().prefix { $0 != "=" && $0 != "}" }
      self = AppleWrapper.structures.contains(name) ? .compiled : .forwarding
    } else {
      self = encoding.first.map(AppleWrapper.letters.contains) == true ? .compiled : .none
    }
  }

  /// The fate of the setter, in a sentence.
  func sentence(_ selector: String) -> Text {
    switch self {
    case .compiled: Text("thunk.apple-compiled")
    case .forwarding:
      Text("thunk.apple-forwarding", ["selector": selector])
    case .none: Text("thunk.apple-none")
    }
  }
}
