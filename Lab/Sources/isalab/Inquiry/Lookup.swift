import IsaRuntime

/// How one message finds its code at one moment: header, isa, dispatch table, IMP.
struct Lookup: Hashable, Sendable {
  /// One class on the way from the isa to the root.
  struct Visit: Hashable, Sendable {
    var className: String
    var isNotifying: Bool
    /// Its own method for the selector.
    var method: ImplementationView?
    /// How many methods it declares itself.
    var methodCount: Int
    /// Whether the page with the selector is its own copy, else its superclass's.
    var hasOwnPage: Bool
  }

  var receiver: String
  var selector: String
  /// Of a receiver that is an object: its number and header.
  var object: ObjectState?
  /// The class that the receiver's isa leads to.
  var isa: String
  /// Nil for a selector that nobody has named.
  var place: RuntimeDispatchPlace?
  /// The isa's class first, the root last.
  var visits: [Visit]

  /// The class that declares the method, and what it is.
  var found: ImplementationView? { visits.lazy.compactMap(\.method).first }
  /// The class whose copy of the page the isa's table shows.
  var pageOwner: String? { visits.first { $0.hasOwnPage }?.className }
  /// Methods further up that the one found hides.
  var hidden: [ImplementationView] { Array(visits.compactMap(\.method).dropFirst()) }

  /// - Parameter receiver: The name of an object, or of a class, which answers by its metaclass.
  /// - Returns: Nil if there is neither at this moment.
  init?(of selector: String, to receiver: String, in state: WorldState) {
    self.receiver = receiver
    self.selector = selector
    place = RuntimeSelector.find(named: selector)?.dispatchPlace
    object = state.object(receiver)
    let place = place
    if let object {
      isa = object.isa
      visits = state.lineage(of: object.isa).map { Visit($0, selector, place) }
    } else if let cls = state.cls(receiver) {
      isa = cls.metaclass.name
      let lineage = state.lineage(of: receiver)
      visits = lineage.map { Visit(metaclassOf: $0, selector, place) }
      visits += lineage.suffix(1).map { Visit($0, selector, place) }
    } else {
      return nil
    }
  }
}

extension Lookup.Visit {
  fileprivate init(_ cls: ClassState, _ selector: String, _ place: RuntimeDispatchPlace?) {
    self.init(
      className: cls.name, isNotifying: cls.isNotifying,
      method: cls.methods.first { $0.selector == selector }, methodCount: cls.methods.count,
      hasOwnPage: place.map { cls.ownPages.contains($0.page) } ?? false)
  }

  /// The root metaclass's superclass is the root class: a class answers its instance methods too.
  fileprivate init(metaclassOf cls: ClassState, _ selector: String, _ place: RuntimeDispatchPlace?)
  {
    let metaclass = cls.metaclass
    self.init(
      className: metaclass.name, isNotifying: cls.isNotifying,
      method: metaclass.methods.first { $0.selector == selector },
      methodCount: metaclass.methods.count,
      hasOwnPage: place.map { metaclass.ownPages.contains($0.page) } ?? false)
  }
}
