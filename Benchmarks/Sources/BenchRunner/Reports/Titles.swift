/// What the rows and subjects are called where there is room for words.
enum Titles {
  /// What a workload does, in words; its name with blanks where nothing is said of it here.
  static func workload(_ name: String) -> String { workloads[name] ?? spaced(name) }

  /// Whose mechanism a subject is, in words.
  static func subject(_ name: String) -> String { subjects[name] ?? spaced(name) }

  /// What a growth curve is of, in words.
  static func family(_ series: String) -> String { families[series] ?? spaced(series) }

  private static let families = [
    "set": "Setting an observed property", "path": "Setting the leaf of a key path",
    "dependents": "Setting what other keys depend on",
    "to-many": "Inserting and removing an element",
    "add-remove": "Adding and removing an observer",
    "objects": "Setting one of many observed objects",
  ]

  private static func spaced(_ name: String) -> String {
    let short = name.hasPrefix("ladder-") ? name.dropFirst("ladder-".count) : Substring(name)
    return String(short.map { $0 == "-" ? " " : $0 })
  }

  private static let workloads = [
    "set-unobserved": "set, unobserved: scalar",
    "get-unobserved": "get, unobserved: scalar",
    "set-unobserved-string": "set, unobserved: String",
    "get-unobserved-string": "get, unobserved: String",
    "set-unobserved-object": "set, unobserved: object",
    "get-unobserved-object": "get, unobserved: object",
    "set-unobserved-generic": "set, unobserved: generic class",
    "get-unobserved-generic": "get, unobserved: generic class",
    "append-unobserved": "append to an array, unobserved",
    "set-other-key-observed": "set on a swizzled class, key not observed on this object",
    "set-one-observer": "set, 1 observer, old + new",
    "set-one-observer-libffi": "set, 1 observer, through a libffi closure",
    "set-ten-observers": "set, 10 observers",
    "set-hundred-observers": "set, 100 observers",
    "set-object-one-observer": "set a retained object, 1 observer, old + new",
    "add-remove-observer": "add and remove one observer",
    "path-set-leaf": "key path a.b.c, set the leaf",
    "path-replace-intermediate": "key path a.b.c, replace the intermediate",
    "set-source-of-dependent": "dependent key of two sources",
    "ordered-insert": "ordered insert through a mutable proxy",
    "first-observation-of-class": "first observation of a class",
    "bytes-per-observed-object": "bytes per observed object",
    "allocations-per-set": "heap allocations per observed scalar set",
    "two-threads-own-objects": "throughput of 2 threads on their own objects",
    "two-threads-shared-object": "throughput of 2 threads on one object",
  ]

  private static let subjects = [
    "isakvo": "IsaKVO, C", "isakvo-swift": "IsaKVO, Swift", "limit": "limit",
    "gobject": "GObject", "gnustep": "GNUstep", "qt-property": "Qt QProperty",
    "qt-signal": "Qt signal", "swift-observation": "Swift Observation",
    "opencombine": "OpenCombine @Published", "opencombine-subject": "OpenCombine subject",
    "didset": "didSet + closures", "control": "plain", "plain": "plain",
  ]
}
