import CIsa
import IsaKVOTestSupport

/// A class of a test's own, disposed of when the last reference to the fixture has gone and the
/// last instance; a subclass's fixture keeps its superclass's.
final class ClassPair {
  let cls: isa_class
  private let superclass: ClassPair?

  /// Allocates a class below `superclass`, or below the library's root class.
  init(_ name: String, below superclass: ClassPair? = nil, isRegistered: Bool = true) throws {
    var cls: isa_class?
    try check(isa_class_pair_allocate(superclass?.cls ?? isa_root_class(), name, &cls))
    self.cls = cls!
    self.superclass = superclass
    if isRegistered { try register() }
  }

  /// Registers a class below one that is not a fixture's.
  init(_ name: String, of superclass: isa_class?) throws {
    var cls: isa_class?
    try check(isa_class_pair_allocate(superclass, name, &cls))
    self.cls = cls!
    self.superclass = nil
    try register()
  }

  deinit { disposeOfClass(cls) }

  var metaclass: isa_class { isa_class_metaclass(cls) }

  /// The notifying class, if it has been made.
  var notifying: isa_class? {
    isa_class_find("NSKVONotifying_" + String(cString: isa_class_name(cls)))
  }

  func register() throws {
    try check(isa_class_pair_register(cls))
  }

  /// Adds a method without arguments that answers with one of the `answers`.
  func add(_ name: String, answering answer: Int) throws {
    try check(isa_class_add_method(cls, selector(name), imp(answering: answer), "q@:"))
  }

  /// The answer that an instance would give to `name`; nil if it does not respond.
  func answer(to name: String) -> Int? {
    CIsaTests.answer(of: cls, to: name)
  }
}

/// The answer that an instance of `cls` would give to `name`, a method without arguments; nil if it
/// does not respond.
func answer(of cls: isa_class, to name: String) -> Int? {
  guard let imp = isa_class_find_imp(cls, selector(name)) else { return nil }
  return unsafeBitCast(imp, to: Answer.self)(nil, nil)
}

func selector(_ name: String) -> isa_sel {
  isa_sel_register(name)!
}

/// Code for a method `q@:` that answers with `answer`, 0 to 3.
func imp(answering answer: Int) -> isa_imp {
  unsafeBitCast(answers[answer], to: isa_imp.self)
}

/// The number that `imp(answering:)` was asked for; nil for nil.
func number(of imp: isa_imp?) -> Int? {
  imp.map { unsafeBitCast($0, to: Answer.self)(nil, nil) }
}

private typealias Answer = @convention(c) (isa_id?, isa_sel?) -> Int

private let answers: [Answer] = [{ _, _ in 0 }, { _, _ in 1 }, { _, _ in 2 }, { _, _ in 3 }]
