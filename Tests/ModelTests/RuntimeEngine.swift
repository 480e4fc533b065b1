import CIsa
import CIsaTestSupport

/// Classes made at run time, reached through the C API: what all runs of programs share.
final class RuntimeEngine: Engine {
  let nodeClass: isa_class
  private let observerClass: isa_class
  let selectors = Selectors()
  /// As C strings, by the number of the path.
  let paths: [UnsafeMutablePointer<CChar>]
  /// By the raw value of the key.
  let keys: [UnsafeMutablePointer<CChar>]

  init() {
    Self.check(isa_test_words_make())
    nodeClass = Self.makeClass { isa_test_node_make("ModelNode", $0) }
    observerClass = Self.makeClass { isa_test_observer_make("ModelObserver", $0) }
    paths = Path.all.map { Self.copyText($0.text) }
    keys = Key.allCases.map { Self.copyText($0.text) }
    isa_set_misuse_handler({ _, _ in }, nil)
  }

  deinit {
    isa_set_misuse_handler(nil, nil)
    Self.check(isa_class_pair_dispose(nodeClass))
    Self.check(isa_class_pair_dispose(observerClass))
    isa_test_words_release()
    for text in paths + keys { text.deallocate() }
  }

  func run(_ program: Program) -> [Line] { RuntimeRun.run(program, on: self) }

  static func check(_ status: isa_status) {
    if status == ISA_OK { return }
    fatalError("\(String(cString: isa_last_error().pointee.reason)) (\(status.rawValue))")
  }

  /// The object that `make` puts into its argument.
  static func made(_ make: (UnsafeMutablePointer<isa_id?>) -> isa_status) -> isa_id {
    var object: isa_id?
    check(make(&object))
    guard let object else { fatalError("nothing was made") }
    return object
  }

  private static func makeClass(_ make: (UnsafeMutablePointer<isa_class?>) -> isa_status)
    -> isa_class
  {
    var cls: isa_class?
    check(make(&cls))
    guard let cls else { fatalError("no class was made") }
    return cls
  }

  /// An observer object that tells the run in progress.
  func makeObserver(number: Int) -> isa_id {
    let observer = Self.made { isa_object_allocate(observerClass, $0) }
    var function = kvo_function(
      callback: { change, info in RuntimeRun.told(change, .object(Int(bitPattern: info))) },
      info: UnsafeMutableRawPointer(bitPattern: number), release: nil)
    isa_test_observer_set(observer, &function)
    return observer
  }

  private static func copyText(_ text: String) -> UnsafeMutablePointer<CChar> {
    let bytes = text.utf8CString
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for (index, byte) in bytes.enumerated() { copy[index] = byte }
    return copy
  }
}

/// The selectors that runs send.
struct Selectors {
  let setters = Key.allCases.map { key in
    isa_sel_register("set\(key.text.prefix(1).uppercased())\(key.text.dropFirst()):")
  }
  let insertItem = isa_sel_register("insertObject:inItemsAtIndex:")
  let removeItem = isa_sel_register("removeObjectFromItemsAtIndex:")
  let replaceItem = isa_sel_register("replaceObjectInItemsAtIndex:withObject:")
  let insertItems = isa_sel_register("insertItems:atIndexes:")
  let removeItems = isa_sel_register("removeItemsAtIndexes:")
  let replaceItems = isa_sel_register("replaceItemsAtIndexes:withItems:")
  let addTag = isa_sel_register("addTagsObject:")
  let removeTag = isa_sel_register("removeTagsObject:")
  let addTags = isa_sel_register("addTags:")
  let removeTags = isa_sel_register("removeTags:")
  let intersectTags = isa_sel_register("intersectTags:")
}

/// The IMP by which `object` answers the selector, as code of type `Code`.
func code<Code>(_ object: isa_id, _ selector: isa_sel?, as type: Code.Type) -> Code {
  unsafeBitCast(isa_lookup(object, selector), to: type)
}
