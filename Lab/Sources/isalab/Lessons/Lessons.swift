/// The lessons, in the order in which one discovers the mechanism. Each stands in a file of its own.
enum Lessons {
  static let all = each.map { $0() }

  /// Reads none of them: every command tells it in its help.
  static var count: Int { each.count }

  private static let each: [@Sendable () -> Lesson] = [
    { objectLayout }, { selectors }, { messageSend }, { classPair }, { isaSwap }, { classLie },
    { trampoline }, { willDid }, { halfPairs }, { manual }, { methodSwizzling }, { options },
    { observers }, { doubleAdd }, { lifetimes }, { deathOrder }, { cellReuse }, { threads },
    { coding }, { keyPaths }, { wrongKey }, { dependentKeys }, { operation }, { collections },
    { swiftObjects }, { bindings }, { fault }, { ownProgram },
  ]

  /// By name, or by number from 1.
  static func find(_ text: String) -> Lesson? {
    if let number = Int(text) {
      return all.indices.contains(number - 1) ? all[number - 1] : nil
    }
    return all.first { $0.name == text }
  }
}
