import Testing

@testable import isalab

@Suite("The swap on a native Swift object", .serialized, .oneAtATime)
struct SwiftIsaTests {
  private final class Other { var value: (Int, Int, Int) = (0, 0, 0) }
  private class Sub: NativePerson {
    override var age: Int {
      get { 1 }
      set {}
    }
  }

  @Test("a non-final setter is reached in debug only, what has no slot never", .known)
  func assignments() throws {
    let assignments = try NativeSwizzle().perform()
    let told = assignments.map(\.told)
    #expect(assignments.map(\.way) == [.set, .inPlace, .final, .restored])
    // With optimisation it depends on whether the module may be subclassed by its tests.
    #expect(told[0] == ["0 → 36"] || (SwiftIsaRun.isReleaseBuild && told[0] == []))
    #expect(told.dropFirst().allSatisfy { $0 == [] })
  }

  @Test("it can be done again and again: nothing of it stays", .known)
  func again() throws {
    let first = try NativeSwizzle().perform()
    #expect(try NativeSwizzle().perform() == first)
  }

  @Test("metadata that is not what is expected is refused with a sentence", .known)
  func refusals() {
    func sentence(_ cls: AnyClass, _ name: String, _ size: Int) -> String? {
      do throws(ClassMetadata.Surprise) {
        _ = try ClassMetadata(of: cls, name: name, instanceSize: size)
        return nil
      } catch { return error.sentence.english }
    }
    #expect(sentence(NativePerson.self, "NativePerson", 32) == nil)
    #expect(
      sentence(NativePerson.self, "NativePerson", 40)
        == "the metadata states another instance size than 40")
    #expect(
      sentence(NativePerson.self, "Other", 32)
        == "the description is not that of a plain class Other")
    #expect(
      sentence(Sub.self, "Sub", 32)
        == "the class's first words are not a kind of 0 and no superclass")
    #expect(throws: ClassMetadata.Surprise.self) {
      try ClassMetadata(of: Other.self, name: "Other", instanceSize: 40).slot(.method)
    }
  }

  @Test("the command says what it did, or why it did not")
  func output() {
    let output = Output()
    let code = SwiftIsaRun(console: output.console).run()
    #expect(code == (ClassMetadata.isKnownPlatform ? 0 : 1))
    #expect(output.out.filter { $0.count > 80 } == [])
    #expect(output.text.contains("0x") == false)
    if !ClassMetadata.isKnownPlatform { #expect(output.text.contains("Nothing was written.")) }
  }

  @Test("each build explains the other", .known)
  func builds() {
    for isOptimised in [false, true] {
      let output = Output()
      _ = SwiftIsaRun(console: output.console, isOptimised: isOptimised).run()
      #expect(output.text.contains("In a debug build") == isOptimised)
      #expect(output.text.contains("In a release build") == !isOptimised)
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// Where the layout of Swift's metadata is known.
  fileprivate static var known: Self { .enabled(if: ClassMetadata.isKnownPlatform) }
}
