/// Indexes of a list, upwards and each once.
///
///     controller.selectionIndexes = [4, 1, 1]     // 1 and 4
///     controller.selectionIndexes = IndexList(0..<3)
///
/// A value of its own: a controller that shows fewer rows leaves the caller's list alone.
///
/// - Note: Source `NSIndexSet`, Foundation.
public struct IndexList: Hashable, Sendable {
  /// The indexes as an array.
  public let indexes: [Int]

  /// Makes a list without indexes.
  public init() { indexes = [] }

  /// Makes a list of one index.
  ///
  /// - Parameter index: Not negative; a negative index stops the process.
  public init(_ index: Int) { self.init(sorted: [index]) }

  /// Makes a list of the indexes, in any order and as often as they come.
  ///
  /// - Parameter indexes: None is negative; a negative index stops the process.
  /// - Complexity: O(*n*) for indexes that are upwards already, else O(*n* log *n*).
  public init(_ indexes: some Sequence<Int>) {
    var upwards: [Int] = []
    upwards.reserveCapacity(indexes.underestimatedCount)
    var isSorted = true
    for index in indexes {
      if let last = upwards.last, last >= index { isSorted = false }
      upwards.append(index)
    }
    if !isSorted {
      upwards.sort()
      var last: Int?
      upwards.removeAll { index in
        defer { last = index }
        return index == last
      }
    }
    self.init(sorted: upwards)
  }

  /// - Parameter indexes: Upwards, each once.
  init(sorted indexes: [Int]) {
    if let first = indexes.first, first < 0 { fatalError("IndexList: \(first) is no index") }
    self.indexes = indexes
  }

  /// Whether the list has the index.
  ///
  /// - Complexity: O(log *n*).
  public func contains(_ index: Int) -> Bool {
    let place = indexes.firstPlace { $0 >= index }
    return place < indexes.count && indexes[place] == index
  }

  /// The indexes that a list of `count` elements has.
  public func clipped(to count: Int) -> IndexList {
    guard let last = indexes.last, last >= count else { return self }
    return IndexList(sorted: Array(indexes[..<indexes.firstPlace { $0 >= count }]))
  }
}

extension IndexList: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }

  /// How many indexes there are.
  public var endIndex: Int { indexes.count }

  /// The index at a position of the list.
  public subscript(position: Int) -> Int { indexes[position] }
}

extension IndexList: ExpressibleByArrayLiteral {
  /// Makes a list of the indexes written in brackets.
  public init(arrayLiteral elements: Int...) { self.init(elements) }
}

extension IndexList: CustomStringConvertible {
  /// The indexes for people: `[1, 4]`.
  public var description: String { "\(indexes)" }
}

extension RandomAccessCollection where Index == Int {
  /// The first position whose element belongs to the second part, of elements that are parted so.
  ///
  /// - Complexity: O(log *n*).
  func firstPlace(where belongsToSecond: (Element) -> Bool) -> Int {
    var low = startIndex, high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if belongsToSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
