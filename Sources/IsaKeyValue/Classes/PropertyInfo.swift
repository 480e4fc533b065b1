package import CIsa

/// Calls `body` with a property's description in C's texts.
package func withPropertyInfo(
  name: String, types: String, getter: String?, setter: String?, ivar: String?,
  ownership: isa_ownership, isReadOnly: Bool,
  _ body: (UnsafePointer<isa_property_info>) -> isa_status
) -> isa_status {
  withCStrings([name, types, getter, setter, ivar]) { texts in
    var info = isa_property_info(
      name: texts[0], types: texts[1], getter: texts[2], setter: texts[3], ivar: texts[4],
      ownership: ownership, readonly: isReadOnly)
    return body(&info)
  }
}
