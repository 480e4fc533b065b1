/// `isalab swiftisa`: the trick on a native Swift object.
struct SwiftIsaRun {
  var console: Console
  var style = TextStyle()
  /// Whether this program was built with optimisation.
  var isOptimised = SwiftIsaRun.isReleaseBuild

  static var isReleaseBuild: Bool { !_isDebugAssertConfiguration() }

  /// - Returns: 0 if the swap was made and undone, 1 if this program will not make it here.
  func run() -> Int32 {
    console.out(style.heading("The same trick on a native Swift object"))
    out(
      """
      A Swift object too begins with a word that leads to its class: the address of the class's \
      metadata, in which there is a vtable. The metadata is copied with all that stands before its \
      address, the slot of a setter is replaced by one that tells, and word 0 of the object is set \
      to the copy. Other objects of the class keep theirs.
      """)
    console.out("")
    do throws(ClassMetadata.Surprise) {
      let swizzle = try NativeSwizzle()
      show(swizzle)
      show(try swizzle.perform(), swizzle)
      console.out("")
      explain()
      return 0
    } catch {
      out("It is not done here: \(error.sentence). Nothing was written.")
      return 1
    }
  }

  private func show(_ swizzle: NativeSwizzle) {
    let metadata = swizzle.original
    let slots = metadata.slots.map {
      "\($0.word) \($0.kind.map { "\($0)" } ?? "other")\($0.code == nil ? " (taken out)" : "")"
    }
    console.out("  class NativePerson { var age = 0; final var height = 0 }")
    console.out(
      "  metadata: \(metadata.size) bytes, \(metadata.prefix) of them before the address")
    for line in wrapped("vtable: \(slots.joined(separator: ", "))", width: 78, indent: "  ") {
      console.out(line)
    }
    console.out("  patched: word \(swizzle.slot.word), the setter of age")
    console.out("")
  }

  private func show(_ assignments: [NativeSwizzle.Assignment], _ swizzle: NativeSwizzle) {
    let width = assignments.map(\.code.count).max() ?? 0
    console.out(style.faint("this build: \(isOptimised ? "release, -O" : "debug, -Onone")"))
    for assignment in assignments {
      let code = assignment.code + String(repeating: " ", count: width - assignment.code.count)
      let heard = assignment.told.map { "told \($0)" }.first
      let text = heard.map { style.good($0) } ?? "not told"
      console.out("  \(code)  \(text), \(reason(assignment, swizzle))")
    }
  }

  private func reason(
    _ assignment: NativeSwizzle.Assignment, _ swizzle: NativeSwizzle
  ) -> String {
    let isTold = !assignment.told.isEmpty
    switch assignment.way {
    case .set:
      return isTold ? "by the slot of the setter" : "stored without a look at the vtable"
    case .inPlace:
      let hasModify = swizzle.original.slots.contains { $0.kind == .modify && $0.code != nil }
      return hasModify ? "by the slot of modify" : "stored in place"
    case .final: return "final: it has no slot"
    case .restored: return "word 0 is the original again"
    }
  }

  private func explain() {
    out(
      isOptimised
        ? """
        In a debug build (swift run --package-path Lab isalab swiftisa) the first assignment is told \
        of: there the compiler calls a method that might be overridden through the vtable, as word \
        0 leads to it.
        """
        : """
        In a release build (swift run -c release --package-path Lab isalab swiftisa) the first \
        assignment is not told of either. The optimiser sees the whole module, finds no subclass that \
        overrides the setter, and stores into the object; the setter itself is taken out of the vtable.
        """)
    console.out("")
    out(
      """
      That is why nothing here relies on it. Whether a change is told would depend on the build, on \
      final, on += instead of =, and on a layout that Swift promises to nobody. The C core sends \
      messages, which ask the receiver's class each time; the Swift layer's @Dynamic looks at a \
      header of its own in the object at each access.
      """)
  }

  private func out(_ paragraph: String) {
    for line in wrapped(paragraph, width: 80) { console.out(line) }
  }
}
