import GRDB
import IsaKVO
import IsaRuntime
import Synchronization

/// What the store knows of a class: its columns, its references and arrays, and its fault classes.
///
/// Made when the class is first used, and kept for ever: classes of the runtime belong to the process.
final class Entity: @unchecked Sendable {
  // Sendable because all but the fault classes, which have a lock, is final once it is made.
  let type: Managed.Type
  let table: String
  /// The columns behind id and version.
  let columns: [Column]
  let arrays: [ToMany]
  /// The Swift class as the runtime has it.
  let plain: RuntimeClass
  /// The values that a new object has.
  let declaredValues: [String: Any?]
  /// Tells contexts of what changes.
  let tracker = KeyValueSharedObservers<Managed>()
  private let faults = Mutex<[Missing: RuntimeClass]>([:])

  var allMissing: Missing { Missing(rawValue: (2 << arrays.count) - 1) }

  func column(_ key: String) -> Column? { columns.first { $0.key == key } }

  func array(_ key: String) -> ToMany? { arrays.first { $0.key == key } }

  func stored(_ key: String, _ value: Any?) -> Stored {
    column(key)?.stored(value) ?? .array(value as? [Managed] ?? [])
  }

  var columnList: String { columns.map { ", \"\($0.name)\"" }.joined() }

  // MARK: Making

  static let known = Mutex<[ObjectIdentifier: Entity]>([:])

  static func of(_ type: Managed.Type) throws -> Entity {
    if let entity = known.withLock({ $0[ObjectIdentifier(type)] }) { return entity }
    let made = try Entity(type)
    return known.withLock { entities in
      let entity = entities[ObjectIdentifier(type)] ?? made
      entities[ObjectIdentifier(type)] = entity
      return entity
    }
  }

  private init(_ type: Managed.Type) throws {
    self.type = type
    table = type.table
    let sample = type.init()
    plain = try RuntimeObject(sample).isa.original
    var columns: [Column] = [], arrays: [ToMany] = []
    for property in try type.keyValueProperties()
    where property.isStored && property.owner != Managed.self {
      if let array = property.type as? any ManagedArray.Type {
        let inverse = try inverse(of: property.key, in: type, array.element)
        arrays.append(
          ToMany(
            key: property.key, element: array.element, inverse: inverse,
            missing: .array(arrays.count)))
        array.track(arrays.last!, by: tracker)
      } else {
        columns.append(try trackedColumn(for: property, of: type, tracker))
      }
    }
    if arrays.count > 60 {
      throw StoreError.model(
        type: "\(type)", key: arrays[60].key, reason: "at most 60 arrays were expected")
    }
    (self.columns, self.arrays) = (columns, arrays)
    let keys = columns.map(\.key) + arrays.map(\.key)
    declaredValues = try .init(
      uniqueKeysWithValues: keys.map { ($0, try sample.primitiveValue(forKey: $0)) })
  }

  // MARK: Fault classes

  /// The class of objects of which some parts have not been read; the Swift class if none.
  func runtimeClass(missing: Missing) throws -> RuntimeClass {
    if missing.isEmpty { return plain }
    return try faults.withLock { faults in
      let known = try faults[missing] ?? makeFaultClass(missing)
      faults[missing] = known
      return known
    }
  }

  /// Answers getter and setter of what is missing: finds it, and has the Swift class go on.
  private func makeFaultClass(_ missing: Missing) throws -> RuntimeClass {
    let named = arrays.filter { missing.contains(.row) != missing.contains($0.missing) }.map(\.key)
    let suffix = ["_Fault", missing.contains(.row) ? "without" : "of"] + named
    let builder = try RuntimeClassBuilder(
      plain.name + (named.isEmpty ? "_Fault" : suffix.joined(separator: "_")), superclass: plain)
    if missing.contains(.row) {
      for column in columns { try add(column.key, .row, to: builder) }
    }
    for array in arrays where missing.contains(array.missing) {
      try add(array.key, array.missing, to: builder)
    }
    return try builder.register()
  }

  private func add(_ key: String, _ part: Missing, to builder: RuntimeClassBuilder) throws {
    let property = plain.property(named: key)!
    let getter = plain.method(property.getter)!
    try builder.method(getter.selector, getter.encoding) { call in
      (call.receiver.unsafeSwiftObject as! Managed).find(part)
      return (try? call.callSuper()) ?? .nilObject
    }
    guard let selector = property.setter ?? setter(of: key), let setter = plain.method(selector)
    else { return }
    try builder.method(setter.selector, setter.encoding) { (call: RuntimeMethodCall) -> Void in
      let object = call.receiver.unsafeSwiftObject as! Managed
      let wasTracked = object.missing.contains(part) ? object.isTracked : !object.isTrackedLate
      object.find(part)
      // What cannot be found cannot be set: the row would come over it.
      if object.missing.contains(part) { return }
      let old = wasTracked ? nil : object.stored(key)
      _ = try? call.callSuper(call.arguments)
      // The trackers, which the object has since this set began, have not heard of it.
      if let old { object.context?.note(object, key, old: old, new: object.stored(key)) }
    }
  }

  private func setter(of key: String) -> RuntimeSelector? {
    RuntimeSelector("set\(key.prefix(1).uppercased())\(key.dropFirst()):")
  }
}

extension Managed {
  /// Reads what is missing, if it still is. Without a context nothing is found any more: the declared
  /// values stay.
  fileprivate final func find(_ part: Missing) {
    if missing.contains(part) { context?.find(part, of: self) ?? become(missing: []) }
  }

  /// Swaps the isa, beneath the observers.
  final func become(missing: Missing) {
    self.missing = missing
    do {
      try RuntimeObject(self).setIsa(try entity.runtimeClass(missing: missing))
    } catch {
      preconditionFailure("\(self) cannot become another class: \(error)")
    }
  }
}
