/// The names of rows and subjects where there is room for words.
enum Titles {
  /// A workload's work, in words; its name with blanks where nothing is said of it here.
  static func workload(_ name: String) -> String { workloads[name] ?? spaced(name) }

  /// A subject's mechanism, in words.
  static func subject(_ name: String) -> String { subjects[name] ?? spaced(name) }

  /// The row whose time a ratio is of, in words.
  static func rival(_ name: String) -> String { rivals[name] ?? "bare program" }

  /// An application's name, in words.
  static func application(_ name: String) -> String { name == "graph" ? "graph editor" : name }

  /// A growth curve's subject, in words.
  static func family(_ series: String) -> String { families[series] ?? spaced(series) }

  private static let rivals = [
    "isakvo-swift/evaluate-over-1000": "evaluating it",
    "isakvo-swift/set-one-observer": "1 closure",
    "isakvo/set-one-observer": "1 observer",
    "isakvo-installed/set-one-observer": "1 observer",
    "isakvo-swift/set-string-one-observer": "1 closure",
  ]

  private static let families = [
    "set": "Setting an observed property", "path": "Setting the leaf of a key path",
    "dependents": "Setting what other keys depend on",
    "to-many": "Inserting and removing an element",
    "add-remove": "Adding and removing an observer",
    "add-remove-path": "Observing a key path, and stopping",
    "objects": "Setting one of many observed objects",
    "end-newest-first": "Ending functions, the newest first",
    "end-shuffled": "Ending functions in any order",
    "observe-keys": "Observing each key of an object, and stopping",
    "observer-objects": "Adding and removing observers that are objects",
    "dispose-classes": "Disposing of classes that were observed",
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
    "set-traced": "set, 1 observer, old + new, while a trace is recorded",
    "set-string-traced": "set a String, 1 observer, old + new, while a trace is recorded",
    "set-by-another-thread": "set, 1 observer that another thread has added",
    "set-ten-observers": "set, 10 observers",
    "set-hundred-observers": "set, 100 observers",
    "set-object-one-observer": "set a retained object, 1 observer, old + new",
    "set-random-independent": "set one of 100 000 at random, the next known beforehand",
    "set-random-dependent": "set one of 100 000 at random, the next read from the last",
    "add-remove-observer": "add and remove one observer",
    "add-remove-second-observer": "add and remove a second observer",
    "add-remove-path": "add and remove an observer of a path of two keys",
    "add-remove-shared-object":
      "add and remove one observer, the object set by another thread every 50 µs",
    "will-did-one-observer": "will and did by hand, 1 observer",
    "write-by-key-of-many": "write by key, each to another of 2 000 keys",
    "latency-clock": "reading the clock around nothing",
    "latency-plain-set-p50": "plain set, median",
    "latency-plain-set-p99": "plain set, 99 %",
    "latency-plain-set-p99.9": "plain set, 99.9 %",
    "latency-set-p50": "observed set, median",
    "latency-set-p99": "observed set, 99 %",
    "latency-set-p99.9": "observed set, 99.9 %",
    "path-set-leaf": "key path a.b.c, set the leaf",
    "path-replace-intermediate": "key path a.b.c, replace the intermediate",
    "set-source-of-dependent": "dependent key of two sources",
    "computed-number": "computed number of two sources",
    "add-remove-computed": "add and remove an observer of a computed property",
    "add-remove-through-optional": "add and remove an observer of a path through an optional",
    "computed-text": "computed text of two sources",
    "computed-through-optional": "path through an optional, set the leaf",
    "computed-through-replaced-optional": "path through an optional, replace the object",
    "computed-of-changing-sources": "computed key that reads another source each time",
    "computed-over-1000": "computed over 1 000 elements, set one",
    "evaluate-over-1000": "computed over 1 000 elements, evaluated by hand",
    "computed-in-transaction-of-1000": "computed over 1 000 elements, set all in a transaction",
    "evaluations-in-transaction-of-1000": "evaluations of it, 1 000 elements set in a transaction",
    "ordered-insert": "ordered insert through a mutable proxy",
    "first-observation-of-class": "first observation of a class",
    "first-observation-of-process": "first observation of a process",
    "first-observation-of-key-path": "first observation of a key path",
    "first-observation-of-computed-key-path": "first observation of a computed key path",
    "program-build": "hello world, built from nothing",
    "program-size": "hello world, stripped, beyond an empty program",
    "program-start": "hello world, from start to end, beyond an empty program",
    "bytes-per-observed-object": "bytes per observed object",
    "allocations-per-set": "heap allocations per observed scalar set",
    "two-threads-own-objects": "throughput of 2 threads on their own objects",
    "ladder-ivar-store": "store to the ivar",
    "ladder-indirect-call": "indirect call of the setter",
    "ladder-dispatch": "dispatch through the isa",
    "ladder-dispatch-uncached": "look-up in the class, then the call",
    "ladder-dispatch-by-name": "the selector looked up by name as well",
    "ladder-synthesized-setter": "synthesised setter",
    "ladder-thunk-nobody": "typed thunk, nobody observes the key",
    "ladder-closure-nobody": "libffi closure, nobody observes the key",
    "ladder-ffi-closure": "libffi closure alone",
    "ladder-ffi-call": "ffi_call alone",
    "ladder-write-by-key": "set by key",
    "ladder-will-did-nobody": "will and did by hand, nobody observes",
    "ladder-will-did-one-observer": "will and did by hand, 1 observer",
    "ladder-synthesized-setter-one-observer": "synthesised setter, 1 observer",
    "ladder-option-none": "1 observer, no option",
    "ladder-option-new": "1 observer, new",
    "ladder-option-old": "1 observer, old",
    "ladder-option-old-new": "1 observer, old + new",
    "ladder-option-prior": "1 observer, prior",
    "ladder-option-prior-old-new": "1 observer, prior + old + new",
    "ladder-add-remove-initial": "add and remove, initial",
    "ladder-add-remove-other-key": "add and remove beside one of another key",
    "add-remove-beside-a-thread": "add and remove beside a thread",
    "ladder-add-remove-beside-a-thread": "add and remove beside a thread",
    "bytes-with-object": "bytes with the object's own",
    "set-one-observer-apple-names": "set, 1 observer, old + new, under Apple's names",
    "set-one-object-observer": "set, 1 object observer, by observeValue(forKeyPath:…)",
    "set-async-sequence": "handed over to a task",
    "set-awaited-in-actor": "values(of:), awaited by a task of the same actor",
    "get-in-tracking": "get within a tracking that has read it before",
    "track-and-fire": "track one property, and set it",
    "value-for-key": "value(forKey:)",
    "set-value-for-key": "setValue(_:forKey:), unobserved",
    "value-for-key-path": "value(forKeyPath:) of three keys",
    "add-remove-by-name": "add and remove one observer by name",
    "add-through-protocol": "+= through a protocol, unobserved",
    "add-through-protocol-plain": "+= through a protocol",
    "add-through-protocol-one-observer": "+= through a protocol, 1 observer, old + new",
    "add-one-observer": "+=, 1 observer, old + new",
    "set-string-one-observer": "set a String, 1 observer, old + new",
    "set-struct-one-observer": "set a struct, 1 observer, old + new",
    "set-optional-one-observer": "set an Int?, 1 observer, old + new",
    "set-shared-observer": "set, 1 shared observer, old + new",
    "set-string-shared-observer": "set a String, 1 shared observer, old + new",
    "bind-one-way": "binding of one way, set the model",
    "bind-one-way-in-calls": "the same, in calls",
    "bind-two-ways": "binding of two ways, set the model",
    "bind-two-ways-back": "binding of two ways, set the view",
    "bind-by-name": "binding by name, set the model",
    "bind-and-unbind": "bind one way and unbind",
    "bytes-per-binding": "bytes per binding of one way",
    "select-per-bound-key": "select another object, per key bound to the selection",
    "ladder-select-of-one-key": "select another object, one key bound to the selection",
    "filter-10000": "filter 10 000 rows, told with values",
    "reverse-10000": "reverse 10 000 rows, told with values",
    "move-one-of-10000": "one row of 10 000 moves by 10, told with values",
    "ladder-move-one-of-10000-to-the-middle": "one row of 10 000 moves by 5 000, told with values",
    "two-threads-shared-object": "throughput of 2 threads on one object",
  ]

  private static let subjects = [
    "isakvo": "IsaKVO, C", "isakvo-installed": "IsaKVO, C, installed",
    "isakvo-swift": "IsaKVO, Swift", "limit": "limit",
    "isakvo-publisher": "IsaKVO, publisher", "isakvo-slow": "IsaKVO, trackings found slowly",
    "gobject": "GObject", "gobject-by-name": "GObject, by name", "gnustep": "GNUstep",
    "qt": "Qt", "qt-property": "Qt QProperty",
    "qt-signal": "Qt signal", "swift-observation": "Swift Observation",
    "swift-collections": "swift-collections",
    "opencombine": "OpenCombine @Published", "opencombine-subject": "OpenCombine subject",
    "didset": "didSet + closures", "control": "plain call", "plain": "plain property",
  ]
}
