import IsaKVO
import IsaRuntime

/// A property that reaches leaves in one way or another.
struct Site {
  let name: String
  /// The ways in which it is observed.
  var forms: [Form]
  /// The ways of setting a property of its own that is told.
  var sets: [(Int) throws -> Void] = []
  /// Lets it reach other leaves, which is told.
  var point: (([Int]) -> Void)?
  /// Changes it as nobody is told of: a property without a wrapper.
  var poke: ((Int) -> Void)?
  /// The object whose property `point` changes, to be muted; nil if there is none to be.
  var object: KVObject?
  /// How many changes `sets` make at most.
  var writes = 1
}

/// A way in which a site is observed.
struct Form {
  typealias Told = (_ old: Int?, _ new: Int?) -> Void

  let name: String
  /// Observes; for the initial value the handler is told no old one.
  let observe: (ObservationOptions, @escaping Told) throws -> KeyValueObservation
  /// Evaluates the property by plain code.
  let value: () -> Int
  /// Whether Observation hears of what is read.
  var isTracked = true
}

extension Form {
  /// By key path.
  init<Root: KVObject>(_ root: Root, _ keyPath: KeyPath<Root, Int>, _ name: String = "") {
    self.init(
      name: name,
      observe: { options, told in
        root.observe(keyPath, options: options) { _, change in
          if !change.isPrior { told(change.oldValue, change.newValue) }
        }
      }, value: { root[keyPath: keyPath] })
  }

  /// By name.
  init(_ root: KVObject, _ path: String, _ value: @escaping () -> Int) {
    self.init(
      name: "“\(path)”",
      observe: { options, told in
        try root.observe(path, as: Int.self, options: options) { (_: KVObject, change) in
          if !change.isPrior { told(change.oldValue, change.newValue) }
        }
      }, value: value)
  }
}

/// The objects of a program, of one kind of classes.
protocol World: AnyObject {
  init(leaves: Int, lane: Int)
  /// The names of all sites that there may be, by groups.
  static var siteNames: [[String]] { get }
  func site(_ place: SitePlace) -> Site
  func setSize(_ leaf: Int, _ size: Int, _ way: Int) throws
  func setNext(_ leaf: Int, _ next: Int?)
  /// Observes the size of a leaf.
  func size(_ leaf: Int) -> Form
  /// A leaf, to be muted; nil where there are no scopes.
  func object(_ leaf: Int) -> KVObject?
}

/// The number of a group, and of a site in it.
struct SitePlace: Hashable, Sendable {
  var group: Int
  var number: Int
}
