// Where dispatch tables have selectors, read from the tables themselves.
internal import CIsa

/// Where every class's dispatch table has a selector.
public struct RuntimeDispatchPlace: Hashable, Sendable {
  /// Which page of the table.
  public let page: Int
  /// Which slot of the page.
  public let slot: Int
}

extension RuntimeSelector {
  /// Where dispatch tables have the selector: the same in each, for the life of the process.
  public var dispatchPlace: RuntimeDispatchPlace {
    let place = UnsafeRawPointer(sel).load(as: isa_dispatch_selector.self)
    let word = UInt32(MemoryLayout<isa_imp?>.size)
    return RuntimeDispatchPlace(
      page: Int(place.page_offset / word), slot: Int(place.slot_offset / word))
  }
}

extension RuntimeClass {
  /// The pages of the class's dispatch table that are its own, upwards: its methods stand on them.
  /// It shares the others with its superclass.
  public var ownDispatchPages: [Int] {
    let pages = Set(methods.map(\.selector.dispatchPlace.page)).sorted()
    guard let superclass else { return pages }
    return pages.filter { page($0) != superclass.page($0) }
  }

  private func page(_ index: Int) -> UInt {
    UnsafeRawPointer(UnsafeRawPointer(cls).load(as: isa_dispatch_class.self).pages)
      .load(fromByteOffset: index * MemoryLayout<UInt>.stride, as: UInt.self)
  }
}
