internal import IsaKeyValue

#if !canImport(ObjectiveC)
  import Foundation
  internal import IsaKVO

  /// A to-many key as an `NSMutableArray`, which looks at the object anew each time.
  ///
  /// Each of NSMutableArray's methods is one of three changes, at as many places as it takes: elements
  /// are inserted, removed or replaced. A method that changes the count and elements as well is
  /// two.
  final class KeyedArray: NSMutableArray {
    // Optional, and set once, because the superclass's initialisers are inherited.
    private var proxy: CollectionHandle<Any?>?

    convenience init(_ proxy: CollectionHandle<Any?>) {
      self.init(capacity: 0)
      self.proxy = proxy
    }

    // MARK: Reading

    override var count: Int { proxy?.count ?? 0 }

    override func object(at index: Int) -> Any {
      guard holds(NSRange(location: index, length: 1)) else { return NSNull() }
      return foundationElement((try? proxy?.element(at: index)) ?? nil)
    }

    override func contains(_ anObject: Any) -> Bool { index(of: anObject) != NSNotFound }

    override func index(of anObject: Any) -> Int { index(of: anObject, in: whole) }

    override func index(of anObject: Any, in range: NSRange) -> Int {
      indexes(in: range) { areEqual($0, anObject) }.first ?? NSNotFound
    }

    override func indexOfObjectIdentical(to anObject: Any) -> Int {
      indexOfObjectIdentical(to: anObject, in: whole)
    }

    override func indexOfObjectIdentical(to anObject: Any, in range: NSRange) -> Int {
      indexes(in: range) { areIdentical($0, anObject) }.first ?? NSNotFound
    }

    override var description: String { now.description }

    override func description(withLocale locale: Locale?) -> String {
      now.description(withLocale: locale)
    }

    override func description(withLocale locale: Locale?, indent level: Int) -> String {
      now.description(withLocale: locale, indent: level)
    }

    override func isEqual(_ value: Any?) -> Bool {
      value as AnyObject === self || now.isEqual(value)
    }

    override func isEqual(to otherArray: [Any]) -> Bool { now.isEqual(to: otherArray) }
    override var hash: Int { now.hash }
    override func copy(with zone: NSZone? = nil) -> Any { now }
    override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableArray(array: elements) }

    // MARK: Inserting

    override func add(_ anObject: Any) { insert([anObject], at: [count]) }
    override func addObjects(from otherArray: [Any]) { append(otherArray) }
    override func insert(_ anObject: Any, at index: Int) { insert([anObject], at: [index]) }

    override func insert(_ objects: [Any], at indexes: IndexSet) {
      change { proxy throws(KeyValueError) in
        try proxy.insert(contentsOf: objects, at: Array(indexes))
      }
    }

    // MARK: Removing

    override func removeObject(at index: Int) { removeObjects(at: [index]) }
    override func removeLastObject() { if count > 0 { removeObjects(at: [count - 1]) } }
    override func removeAllObjects() { removeObjects(in: whole) }
    override func remove(_ anObject: Any) { remove(anObject, in: whole) }

    override func remove(_ anObject: Any, in range: NSRange) {
      removeObjects(at: IndexSet(indexes(in: range) { areEqual($0, anObject) }))
    }

    override func removeObject(identicalTo anObject: Any) {
      removeObject(identicalTo: anObject, in: whole)
    }

    override func removeObject(identicalTo anObject: Any, in range: NSRange) {
      removeObjects(at: IndexSet(indexes(in: range) { areIdentical($0, anObject) }))
    }

    override func removeObjects(in otherArray: [Any]) {
      let gone = indexes(in: whole) { element in otherArray.contains { areEqual(element, $0) } }
      removeObjects(at: IndexSet(gone))
    }

    override func removeObjects(in range: NSRange) {
      guard holds(range) else { return }
      removeObjects(at: IndexSet(integersIn: range.location..<(range.location + range.length)))
    }

    override func removeObjects(at indexes: IndexSet) {
      guard !indexes.isEmpty else { return }
      change { proxy throws(KeyValueError) in try proxy.remove(at: Array(indexes)) }
    }

    // MARK: Replacing

    override func replaceObject(at index: Int, with anObject: Any) {
      replaceObjects(at: [index], with: [anObject])
    }

    override subscript(index: Int) -> Any {
      get { object(at: index) }
      set { replaceObject(at: index, with: newValue) }
    }

    override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
      guard !indexes.isEmpty || !objects.isEmpty else { return }
      change { proxy throws(KeyValueError) in
        try proxy.replace(at: Array(indexes), with: objects)
      }
    }

    override func replaceObjects(in range: NSRange, withObjectsFrom otherArray: [Any]) {
      guard holds(range) else { return }
      change { proxy throws(KeyValueError) in
        let places = range.location..<(range.location + range.length)
        try proxy.replace(places, with: otherArray)
      }
    }

    override func replaceObjects(
      in range: NSRange, withObjectsFrom otherArray: [Any], range otherRange: NSRange
    ) {
      guard holds(range), holds(otherRange, of: otherArray.count) else { return }
      let end = otherRange.location + otherRange.length
      replaceObjects(in: range, withObjectsFrom: Array(otherArray[otherRange.location..<end]))
    }

    override func setArray(_ otherArray: [Any]) {
      replaceObjects(in: whole, withObjectsFrom: otherArray)
    }

    override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
      guard idx1 != idx2 else { return }
      let places = [idx1, idx2].sorted()
      guard places.allSatisfy({ holds(NSRange(location: $0, length: 1)) }) else { return }
      let objects = places.reversed().map { object(at: $0) }
      replaceObjects(at: IndexSet(places), with: objects)
    }

    override func sort(
      _ compare: (Any, Any, UnsafeMutableRawPointer?) -> Int, context: UnsafeMutableRawPointer?
    ) {
      setArray(now.sortedArray(compare, context: context))
    }

    override func sort(comparator: (Any, Any) -> ComparisonResult) {
      setArray(now.sortedArray(comparator: comparator))
    }

    override func sort(
      options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult
    ) {
      setArray(now.sortedArray(options: opts, usingComparator: cmptr))
    }

    override func sort(using sortDescriptors: [NSSortDescriptor]) {
      setArray(now.sortedArray(using: sortDescriptors))
    }

    // MARK: The proxy

    private var whole: NSRange { NSRange(location: 0, length: count) }
    private var elements: [Any] {
      proxy?.elements.map { foundationElement($0) } ?? []
    }

    /// The array at this moment.
    private var now: NSArray { NSArray(array: elements) }

    /// Whether a range ends within the elements; a range that does not is a misuse.
    private func holds(_ range: NSRange) -> Bool { holds(range, of: count) }

    private func holds(_ range: NSRange, of count: Int) -> Bool {
      let isWithin =
        range.location >= 0 && range.length >= 0 && range.location <= count
        && range.length <= count - range.location
      if !isWithin {
        let places = range.length == 1 ? "index \(range.location)" : "range \(range)"
        let bounds = count == 0 ? "for empty array" : "[0 .. \(count - 1)]"
        Misuse.end(KeyValueError(.outOfRange, reason: "\(places) beyond bounds \(bounds)"))
      }
      return isWithin
    }

    /// The places in a range of the elements for which `test` is true.
    private func indexes(in range: NSRange, where test: (Any) -> Bool) -> [Int] {
      guard holds(range) else { return [] }
      let elements = elements
      return (range.location..<(range.location + range.length)).filter { test(elements[$0]) }
    }

    private func append(_ objects: [Any]) {
      guard !objects.isEmpty else { return }
      insert(objects, at: IndexSet(integersIn: count..<(count + objects.count)))
    }

    private func change(_ body: (CollectionHandle<Any?>) throws(KeyValueError) -> Void) {
      guard let proxy else { return }
      endingMisuse(()) { () throws(KeyValueError) in try body(proxy) }
    }
  }

  // MARK: - Equality as `isEqual:` has it

  /// Whether two elements of a collection are the same object, or equal.
  func areEqual(_ first: Any, _ second: Any) -> Bool {
    if isObject(first), isObject(second), areIdentical(first, second) { return true }
    let first = told(first), second = told(second)
    if let first = first as? AnyHashable, let second = second as? AnyHashable, first == second {
      return true
    }
    guard let first = object(of: first), let second = object(of: second) else { return false }
    return first.isEqual(second)
  }

  /// The value as a property has it by name, if it stands for a number or a text.
  private func told(_ value: Any) -> Any {
    value is any RawRepresentable ? asAnswered(value) ?? value : value
  }

  /// The value as an object of Foundation's, if it is or becomes one.
  private func object(of value: Any) -> NSObject? {
    let value = foundationValue(value)
    return value as? NSObject ?? value as? NSArray ?? value as? NSDictionary ?? value as? NSSet
  }

  /// Whether two elements are the same object; values, which are none, if they are equal.
  func areIdentical(_ first: Any, _ second: Any) -> Bool {
    guard isObject(first), isObject(second) else { return areEqual(first, second) }
    return first as AnyObject === second as AnyObject
  }

  private func isObject(_ value: Any) -> Bool { type(of: value) is AnyClass }
#endif
