import CIsa
import Testing

/// Computes in the core's own decimal operations, whatever was installed before.
struct StandardDecimals: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let before = kvc_get_decimal_operations()
    kvc_set_decimal_operations(nil)
    defer { kvc_set_decimal_operations(before) }
    try await function()
  }
}

extension Trait where Self == StandardDecimals {
  /// Computes in the core's own decimal operations, whatever was installed before.
  static var standardDecimals: StandardDecimals { StandardDecimals() }
}
