internal import IsaRuntime

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Decimal: ForeignValue {
  var foreignForm: ForeignForm { .number(.decimal(description)) }

  static func foreignValue(of source: ForeignSource) -> Any? {
    let number = source.digits.flatMap { Decimal(string: $0) }
    return number?.isNaN == true ? nil : number
  }
}
