// Lists that the C core copies for its caller: each becomes an array, and the copy is freed.
internal import CIsa

/// A function that copies a list into the memory of its first argument, its count into the second.
private typealias Copy<Element> = (
  UnsafeMutablePointer<UnsafeMutablePointer<Element>?>, UnsafeMutablePointer<Int>
) -> isa_status

private func list<Element, Result>(
  _ copy: Copy<Element>, _ transform: (Element) -> Result
) -> [Result] {
  var elements: UnsafeMutablePointer<Element>?
  var count = 0
  guard copy(&elements, &count) == ISA_OK, let elements else { return [] }
  defer { isa_free(elements) }
  return UnsafeBufferPointer(start: elements, count: count).map(transform)
}

/// The registered classes.
func copyClasses() -> [isa_class] {
  list({ isa_class_copy_list($0, $1) }, { $0 }).compactMap { $0 }
}

/// The ivars that a class itself declares.
func copyIvars(of cls: isa_class) -> [isa_ivar] {
  list({ isa_class_copy_ivars(cls, $0, $1) }, { $0 }).compactMap { $0 }
}

/// The methods that a class itself declares.
func copyMethods(of cls: isa_class) -> [isa_method] {
  list({ isa_class_copy_methods(cls, $0, $1) }, { $0 }).compactMap { $0 }
}

/// The properties that a class itself declares.
func copyProperties(of cls: isa_class) -> [isa_property] {
  list({ isa_class_copy_properties(cls, $0, $1) }, { $0 }).compactMap { $0 }
}

/// The setters that a notifying class wraps.
func copySetters(of cls: isa_class) -> [kvo_setter_info] {
  list({ kvo_class_copy_setters(cls, $0, $1) }, { $0 })
}

/// The registrations of an object, each transformed while its texts are there.
func copyRegistrations(of id: isa_id) -> [RuntimeRegistration] {
  list({ kvo_copy_registrations(id, $0, $1) }, { RuntimeRegistration($0) })
}

/// The registrations that a change of a key would tell, each transformed likewise.
func copyAffected(by key: String, of id: isa_id) -> [RuntimeRegistration] {
  key.hasZero ? [] : list({ kvo_copy_affected(id, key, $0, $1) }, { RuntimeRegistration($0) })
}

/// The pending changes of an object, each transformed likewise.
func copyPending(of id: isa_id) -> [RuntimePendingChange] {
  list({ kvo_copy_pending(id, $0, $1) }, { RuntimePendingChange($0) })
}
