import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct ClassTableTests {
  @Test("the list has the registered classes in the order of their registration")
  func list() throws {
    let before = try listed()
    let first = try ClassPair("First", isRegistered: false)
    let second = try ClassPair("Second"), third = try ClassPair("Third", below: second)
    #expect(try listed() == before + [second.cls, third.cls])
    try first.register()
    #expect(try listed() == before + [second.cls, third.cls, first.cls])
    #expect(before.contains(isa_root_class()))
    #expect(!(try listed()).contains(where: { isa_class_is_metaclass($0) }))
  }

  @Test("a class that is disposed of leaves the list")
  func leaving() throws {
    let before = try listed()
    do { _ = try ClassPair("Gone") }
    #expect(try listed() == before)
  }

  @Test("a name that nobody registered finds nothing")
  func missing() {
    #expect(isa_class_find("Nobody") == nil)
    #expect(isa_class_find(nil) == nil)
    #expect(isa_class_find("") == nil)
  }

  @Test("hundreds of classes are all found")
  func many() throws {
    let classes = try (0..<300).map { try ClassPair("Class\($0)") }
    #expect((0..<300).allSatisfy { isa_class_find("Class\($0)") == classes[$0].cls })
  }

  @Test("without memory the list is refused")
  func allocationFailure() throws {
    var list: UnsafeMutablePointer<isa_class?>?, count = 77
    try withEachAllocationFailing {
      do {
        try check(isa_class_copy_list(&list, &count))
      } catch {
        #expect(list == nil && count == 77)
        throw error
      }
    }
    isa_free(list)
  }

  private func listed() throws -> [isa_class] {
    var list: UnsafeMutablePointer<isa_class?>?, count = 0
    try check(isa_class_copy_list(&list, &count))
    defer { isa_free(list) }
    return (0..<count).map { list![$0]! }
  }
}
