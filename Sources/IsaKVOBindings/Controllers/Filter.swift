public import IsaKVO

/// Says which elements of its content a controller shows.
///
///     people.filter = .where(\.age, >=, 18)
///     people.filter = .containing(\.name, "an") && !.where(\.isRetired, ==, true)
///     people.filter = Filter(dependingOn: [\.age]) { $0.age % 2 == 0 }
///
/// ``ArrangingController/automaticallyRearranges`` watches the properties that a filter reads.
///
/// - Note: Source `NSPredicate`, Foundation.
public struct Filter<Element: KVObject> {
  /// The properties that the answer depends on.
  let dependencies: [ElementKey]
  /// Whether an element is shown.
  let includes: (Element) -> Bool

  private init(_ dependencies: [ElementKey], _ includes: @escaping (Element) -> Bool) {
    self.dependencies = dependencies
    self.includes = includes
  }

  /// Shows the elements that a closure says.
  ///
  /// - Parameters:
  ///   - properties: The properties that the closure reads. Without them, elements are asked anew
  ///     only when ``ArrayController/rearrange()`` asks for it.
  ///   - includes: Whether an element is shown.
  public init(
    dependingOn properties: [PartialKeyPath<Element>] = [],
    _ includes: @escaping (Element) -> Bool
  ) {
    self.init(properties.map { .property($0) }, includes)
  }

  /// Shows the elements whose property stands in a relation to a value.
  ///
  ///     .where(\.age, >=, 18)
  @inlinable
  public static func `where`<Value>(
    _ property: KeyPath<Element, Value>, _ areRelated: @escaping (Value, Value) -> Bool,
    _ value: Value
  ) -> Filter {
    Filter(dependingOn: [property]) { areRelated($0[keyPath: property], value) }
  }

  /// Shows the elements whose property has `text` somewhere in it; all of them if it is empty. With
  /// `ignoresCase`, upper and lower case are the same, as in a search field.
  public static func containing(
    _ property: KeyPath<Element, String>, _ text: String, ignoringCase ignoresCase: Bool = true
  ) -> Filter {
    let wanted = ignoresCase ? text.lowercased() : text
    return Filter(dependingOn: [property]) { element in
      let text = element[keyPath: property]
      return wanted.isEmpty || (ignoresCase ? text.lowercased() : text).contains(wanted)
    }
  }

  // MARK: Several

  /// Shows the elements that both filters show.
  public static func && (first: Filter, second: Filter) -> Filter {
    Filter(first.dependencies + second.dependencies) { first.includes($0) && second.includes($0) }
  }

  /// Shows the elements that one of the filters shows, or both.
  public static func || (first: Filter, second: Filter) -> Filter {
    Filter(first.dependencies + second.dependencies) { first.includes($0) || second.includes($0) }
  }

  /// Shows the elements that the filter does not show.
  public static prefix func ! (filter: Filter) -> Filter {
    Filter(filter.dependencies) { !filter.includes($0) }
  }
}
