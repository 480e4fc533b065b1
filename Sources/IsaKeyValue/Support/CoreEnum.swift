/// An enum with the cases of an enum of the core, in its order.
package protocol CoreEnum: CaseIterable, Equatable where AllCases == [Self] {
  associatedtype Constant: RawRepresentable where Constant.RawValue == UInt32
  /// The number that the core gives the first case.
  static var first: Int { get }
}

extension CoreEnum {
  package static var first: Int { 0 }

  /// The case of the core's constant; nil for a constant that is not among these.
  package init?(_ constant: Constant) {
    let index = Int(constant.rawValue) - Self.first
    guard Self.allCases.indices.contains(index) else { return nil }
    self = Self.allCases[index]
  }

  package var constant: Constant {
    Constant(rawValue: UInt32(Self.allCases.firstIndex(of: self)! + Self.first))!
  }
}
