import CIsa
import Foundation
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime

/// The receiver of a key path: a collection or another sample itself, or, of a Swift object, the
/// value of its property `values`, which the key path then begins with.
enum Receiver {
  case made(Made)
  case swift(Holder)

  /// A Swift object with a value of any type.
  final class Holder: KVObject {
    @Dynamic var values: Any

    init(_ values: Any) { self.values = values }
  }

  /// The proxy for the array at the end of a path.
  func mutableArray(_ path: String) throws -> any ItemsProxy {
    switch self {
    case .made(let made):
      MadeProxy(collection: try Kept { kvc_proxy_make_array_for_path(made.id, path, $0) })
    case .swift(let holder):
      NamedArray(array: try holder.mutableArrayValue(forKeyPath: "values." + path))
    }
  }

  func get(_ path: String) throws -> Made? {
    switch self {
    case .made(let made): return try made.get(path)
    case .swift(let holder):
      let value = try keepingClasses { try holder.value(forKeyPath: "values." + path) }
      guard let decimal = value as? Decimal else { return RuntimeValue(any: value).object?.made }
      let digits = decimal.description
      return try Made { kvc_number_make_decimal(Double(digits) ?? .nan, digits, $0) }
    }
  }

  /// The value for a key; of a Swift object, as ``get(_:)``.
  func get(key: String) throws -> Made? {
    if case .made(let made) = self { try made.get(key: key) } else { try get(key) }
  }

  func set(_ path: String, _ value: Sample?) throws {
    switch self {
    case .made(let made): try made.set(path, value)
    case .swift(let holder):
      try keepingClasses { try holder.setValue(value?.swift, forKeyPath: "values." + path) }
    }
  }

  /// Sets a key; of a Swift object, as ``set(_:_:)``.
  func set(key: String, _ value: Sample?) throws {
    if case .made(let made) = self { try made.set(key: key, value) } else { try set(key, value) }
  }
}

extension Sample {
  /// Makes it as something that a key path can be asked of.
  func receiver(_ kind: Kind, isMutable: Bool = true) throws -> Receiver {
    switch kind {
    case .runtime: .made(try make(isMutable: isMutable))
    case .swift: .swift(Receiver.Holder(swift))
    }
  }

  /// Those of the samples that there are for objects of a kind.
  static func of(_ kind: Kind, _ samples: [Sample]) -> [Sample] {
    samples.filter { kind == .runtime || $0.isOfSwift }
  }

  /// Whether Swift has such a value.
  private var isOfSwift: Bool { if case .orderedSet = self { false } else { true } }

  /// The same as Swift has it.
  fileprivate var swift: Any {
    switch self {
    case .array(let samples), .orderedSet(let samples): samples.map(\.swift)
    case .dictionary(let entries):
      Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value.swift) })
    case .object(let object): object.unsafeSwiftObject ?? object
    default: hashable.base
    }
  }

  /// The same as an element of a set.
  private var hashable: AnyHashable {
    switch self {
    case .integer(let value): value
    case .real(let value): value
    case .truth(let value): value
    case .text(let text): text
    case .null: KeyValueNull()
    case .array(let samples), .orderedSet(let samples): samples.map(\.hashable)
    case .set(let samples): Set(samples.map(\.hashable))
    case .dictionary(let entries):
      Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value.hashable) })
    case .object(let object):
      (object.unsafeSwiftObject as? KVObject).map(AnyHashable.init) ?? AnyHashable(object)
    }
  }
}
