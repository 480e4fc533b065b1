import IsaRuntime

/// A collection to change by its elements: an object of its own, or the proxy of a property.
enum ChangeableCollection {
  enum Change {
    case insert(RuntimeValue, at: Int)
    case remove(at: Int)
    case replace(at: Int, with: RuntimeValue)
    case insertMany([RuntimeValue], at: [Int])
    case removeMany(at: [Int])
    case replaceMany(at: [Int], with: [RuntimeValue])
    case add(RuntimeValue)
    case removeObject(RuntimeValue)
    case union([RuntimeValue])
    case minus([RuntimeValue])
    case intersect([RuntimeValue])
    case fill([RuntimeValue])
  }

  case array(MutableArrayProxy)
  case orderedSet(MutableOrderedSetProxy)
  case set(MutableSetProxy)
  /// A dictionary, a collection that cannot change, or no collection.
  case other(RuntimeObject)

  init(_ object: RuntimeObject) {
    if let array = MutableArrayProxy(object) {
      self = .array(array)
    } else if let orderedSet = MutableOrderedSetProxy(object) {
      self = .orderedSet(orderedSet)
    } else if let set = MutableSetProxy(object) {
      self = .set(set)
    } else {
      self = .other(object)
    }
  }

  /// The proxy of a property: an array's, unless it is a set of some sort.
  init(
    _ kind: RuntimeBoxKind?, ofKeyPath path: String, of object: RuntimeObject
  ) throws(KeyValueError) {
    switch kind {
    case .set: self = .set(try object.mutableSetValue(forKeyPath: path))
    case .orderedSet: self = .orderedSet(try object.mutableOrderedSetValue(forKeyPath: path))
    default: self = .array(try object.mutableArrayValue(forKeyPath: path))
    }
  }

  /// Takes everything out, of a dictionary too; what cannot change stays as it is.
  func removeAll() throws(KeyValueError) {
    switch self {
    case .array(let array): try array.removeAll()
    case .orderedSet(let set): try set.removeAll()
    case .set(let set): try set.removeAll()
    case .other(let object):
      guard object.isMutableCollection else { return }
      for key in RuntimeValue(object).dictionary?.keys.sorted() ?? [] {
        try object.setValue(.nilObject, forKey: key)
      }
    }
  }

  func perform(_ change: Change) throws(KeyValueError) {
    switch self {
    case .array(let array): try perform(change, on: array)
    case .orderedSet(let set): try perform(change, on: set)
    case .set(let set): try perform(change, on: set)
    case .other(let object): throw refusal(of: change, object)
    }
  }

  private func perform(_ change: Change, on array: MutableArrayProxy) throws(KeyValueError) {
    switch change {
    case .removeObject(let value): try array.removeAll(equalTo: value)
    case .union, .minus, .intersect: throw refusal(of: change, array.object)
    default: try performInOrder(change, on: array)
    }
  }

  private func perform(_ change: Change, on set: MutableOrderedSetProxy) throws(KeyValueError) {
    switch change {
    case .removeObject(let value): try set.remove(value)
    case .union(let values): try set.formUnion(values)
    case .minus(let values): try set.subtract(values)
    case .intersect(let values): try set.formIntersection(values)
    default: try performInOrder(change, on: set)
    }
  }

  private func performInOrder<Kind>(
    _ change: Change, on proxy: OrderedProxy<Kind>
  ) throws(KeyValueError) {
    switch change {
    case .insert(let value, let index): try proxy.insert(value, at: index)
    case .remove(let index): try proxy.remove(at: index)
    case .replace(let index, let value): try proxy.replace(at: index, with: value)
    case .insertMany(let values, let indexes): try proxy.insert(contentsOf: values, at: indexes)
    case .removeMany(let indexes): try proxy.remove(at: indexes)
    case .replaceMany(let indexes, let values): try proxy.replace(at: indexes, with: values)
    case .add(let value): try proxy.append(value)
    case .fill(let values): try proxy.setElements(values)
    default: throw refusal(of: change, proxy.object)
    }
  }

  private func perform(_ change: Change, on set: MutableSetProxy) throws(KeyValueError) {
    switch change {
    case .add(let value): try set.insert(value)
    case .removeObject(let value): try set.remove(value)
    case .union(let values): try set.formUnion(values)
    case .minus(let values): try set.subtract(values)
    case .intersect(let values): try set.formIntersection(values)
    case .fill(let values): try set.setElements(values)
    default: throw refusal(of: change, set.object)
    }
  }

  /// The words for a message that a collection of another kind does not understand.
  private func refusal(of change: Change, _ object: RuntimeObject) -> KeyValueError {
    let method = "-[\(object.isa.original) \(change.selector)]"
    let address = "0x" + String(object.address, radix: 16)
    return KeyValueError(
      .unrecognizedSelector,
      reason: "\(method): unrecognized selector sent to instance \(address)")
  }
}

extension ChangeableCollection.Change {
  /// Foundation's message for it.
  fileprivate var selector: String {
    switch self {
    case .insert: "insertObject:atIndex:"
    case .remove: "removeObjectAtIndex:"
    case .replace: "replaceObjectAtIndex:withObject:"
    case .insertMany: "insertObjects:atIndexes:"
    case .removeMany: "removeObjectsAtIndexes:"
    case .replaceMany: "replaceObjectsAtIndexes:withObjects:"
    case .add: "addObject:"
    case .removeObject: "removeObject:"
    case .union: "unionSet:"
    case .minus: "minusSet:"
    case .intersect: "intersectSet:"
    case .fill: "setSet:"
    }
  }
}
