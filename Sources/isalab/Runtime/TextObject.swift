import CIsa

/// Text values as objects: an ivar leads to characters, a zero behind them, that the object owns.
enum TextObject {
  /// Gives a class that is not registered yet what its instances need.
  static func fill(_ cls: isa_class) throws(Refusal) {
    try refusing(isa_class_add_ivar(cls, ivarName, "*", ISA_OWNERSHIP_NONE))
    let dealloc: isa_callback = { _, arguments, _ in
      let object = arguments![0]!.load(as: isa_id.self)
      TextObject.slot(of: object).pointee?.deallocate()
    }
    let selector = isa_sel_register("dealloc")
    try refusing(isa_class_add_callback(cls, selector, "v@:", dealloc, nil, nil))
  }

  /// An object for `text`, with a reference for the caller.
  static func make(_ text: String, _ cls: isa_class) throws(Refusal) -> isa_id {
    var made: isa_id?
    try refusing(isa_object_allocate(cls, &made))
    let object = made!
    slot(of: object).pointee = copy(of: text)
    return object
  }

  static func text(of object: isa_id) -> String {
    slot(of: object).pointee.map { String(cString: $0) } ?? ""
  }

  /// The characters of `text` with a zero behind them, for the caller to deallocate.
  static func copy(of text: String) -> UnsafeMutablePointer<CChar> {
    let characters = Array(text.utf8CString)
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: characters.count)
    copy.initialize(from: characters, count: characters.count)
    return copy
  }

  private static let ivarName = "_characters"

  private static func slot(
    of object: isa_id
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    let ivar = isa_class_find_ivar(isa_object_get_class(object), ivarName)
    return isa_object_ivar_address(object, ivar!)
      .assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
  }
}
