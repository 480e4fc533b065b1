package import CIsa

/// The name of a message, such as `"setAge:"`.
///
/// Selectors are interned: two selectors of equal names are equal, and comparing them costs one
/// comparison of addresses.
public struct RuntimeSelector: @unchecked Sendable {
  // A selector lives as long as the process and never changes, hence Sendable.
  package let sel: isa_sel

  package init(_ sel: isa_sel) { self.sel = sel }

  /// Interns `name`.
  ///
  /// - Parameter name: At least one character; each argument adds a colon. An empty name is a
  ///   mistake that stops the process.
  public init(_ name: String) {
    guard let sel = isa_sel_register(name) else {
      fatalError("Selector: “\(name)” cannot be a selector: \(lastReason())")
    }
    self.sel = sel
  }

  /// The selector of that name, if anybody has interned it.
  public static func find(named name: String) -> RuntimeSelector? {
    isa_sel_find(name).map { RuntimeSelector($0) }
  }

  /// The selector's name, colons included.
  public var name: String { String(cString: isa_sel_name(sel)) }

  /// The number of arguments that the name announces: its colons.
  public var argumentCount: Int { isa_sel_argument_count(sel) }
}

extension RuntimeSelector: Hashable {}

extension RuntimeSelector: ExpressibleByStringLiteral {
  /// Interns a literal name.
  public init(stringLiteral name: String) { self.init(name) }
}

extension RuntimeSelector: CustomStringConvertible {
  /// The selector's name.
  public var description: String { name }
}
