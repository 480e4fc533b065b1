extension Lessons {
  static let objectLayout = lesson(
    "object-layout", PackageResources.object_layout_lesson,
    choices: [
      { offset(in: $0) == 28 },
      { offset(in: $0) == 32 },
      { offset(in: $0) == 12 },
    ],
    isSolved: { run in
      let ivars = run.steps.last?.state.object("tight")?.ivars ?? []
      let ends = ivars.map { $0.offset + $0.size }
      return ivars.count == 3 && zip(ivars.dropFirst(), ends).allSatisfy { $0.offset == $1 }
    })

  private static func offset(in run: Run) -> Int? {
    run.steps.last?.state.cls("Person")?.ivars.first { $0.name == "_home" }?.offset
  }
}
