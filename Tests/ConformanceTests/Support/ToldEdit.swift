import CIsa
import CIsaTestSupport
import Testing

/// A change of `items` that has 1, 2, 3, in one of the ways to make it, and what it is told as.
struct ToldEdit: Sendable, CustomTestStringConvertible {
  let edit: ToManyEdit
  let what: String
  let old: String?
  let new: String?
  let left: String

  var testDescription: String { "\(what) \(edit)" }
  var isOrdered: Bool { what.contains("{") }

  /// The lines for a registration with `options`.
  func lines(_ options: Int) -> [String] {
    let old = options & KVO_OPTION_OLD != 0 ? self.old.map { " old \($0)" } ?? "" : ""
    let new = options & KVO_OPTION_NEW != 0 ? self.new.map { " new \($0)" } ?? "" : ""
    let whole = isOrdered ? "(1, 2, 3)" : "{1, 2, 3}"
    let initial = options & KVO_OPTION_NEW != 0 ? "setting initial new \(whole)" : "setting initial"
    return (options & KVO_OPTION_INITIAL != 0 ? [initial] : [])
      + (options & KVO_OPTION_PRIOR != 0 ? ["prior \(what)\(old)"] : []) + ["\(what)\(old)\(new)"]
  }

  static var ordered: [ToldEdit] {
    [
      ToldEdit(
        edit: .insert([9], at: [1]), what: "insertion {1}", old: nil, new: "(9)",
        left: "(1, 9, 2, 3)"),
      ToldEdit(
        edit: .insert([8, 9], at: [0, 4]), what: "insertion {0 4}", old: nil, new: "(8, 9)",
        left: "(8, 1, 2, 3, 9)"),
      ToldEdit(edit: .remove(at: [0]), what: "removal {0}", old: "(1)", new: nil, left: "(2, 3)"),
      ToldEdit(
        edit: .remove(at: [0, 2]), what: "removal {0 2}", old: "(1, 3)", new: nil, left: "(2)"),
      ToldEdit(
        edit: .replace([9], at: [2]), what: "replacement {2}", old: "(3)", new: "(9)",
        left: "(1, 2, 9)"),
      ToldEdit(
        edit: .replace([8, 9], at: [0, 1]), what: "replacement {0 1}", old: "(1, 2)", new: "(8, 9)",
        left: "(8, 9, 3)"),
    ]
  }
  static var unordered: [ToldEdit] {
    [
      ToldEdit(
        edit: .union([3, 4]), what: "insertion", old: nil, new: "{4}", left: "{1, 2, 3, 4}"),
      ToldEdit(edit: .minus([3, 4]), what: "removal", old: "{3}", new: nil, left: "{1, 2}"),
      ToldEdit(edit: .intersect([3, 4]), what: "removal", old: "{1, 2}", new: nil, left: "{3}"),
      ToldEdit(
        edit: .set([3, 4]), what: "replacement", old: "{1, 2}", new: "{4}", left: "{3, 4}"),
    ]
  }
}

/// A way to change a to-many key.
enum Way: CaseIterable {
  case byHand, accessors, proxyOfAccessors, proxyOfSingleAccessors, proxyOfSetter, proxyOfIvar
  case proxyOfHooks
  /// Of Swift classes.
  case swiftByHand, swiftProxy, swiftProxyOfSetter

  private static let single = ISA_TEST_ONE_BY_ONE | ISA_TEST_EACH
  private static let all =
    single | ISA_TEST_AT_INDEXES | ISA_TEST_REPLACE | ISA_TEST_REPLACE_MANY | ISA_TEST_SET_WIDE

  /// The accessors that a class made at run time has for it.
  var accessors: Int {
    switch self {
    case .accessors, .proxyOfAccessors: ISA_TEST_GETTER | Self.all
    case .proxyOfSingleAccessors: ISA_TEST_GETTER | Self.single
    case .proxyOfSetter: ISA_TEST_GETTER | ISA_TEST_SETTER
    case .proxyOfIvar: ISA_TEST_IVAR
    case .proxyOfHooks: ISA_TEST_HOOKS
    default: ISA_TEST_GETTER
    }
  }
}
