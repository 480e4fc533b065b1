// A list that the C core copies for its caller: it becomes an array, and the copy is freed.
package import CIsa

/// The elements, each transformed while what it points to is there; none where `copy` fails.
///
/// - Parameter copy: Writes a list to the memory of its first argument, its count to the second.
package func copiedList<Element, Result>(
  _ copy: (
    UnsafeMutablePointer<UnsafeMutablePointer<Element>?>, UnsafeMutablePointer<Int>
  ) -> isa_status, _ transform: (Element) -> Result
) -> [Result] {
  var elements: UnsafeMutablePointer<Element>?
  var count = 0
  guard copy(&elements, &count) == ISA_OK, let elements else { return [] }
  defer { isa_free(elements) }
  return UnsafeBufferPointer(start: elements, count: count).map(transform)
}
