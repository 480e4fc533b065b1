extension Lessons {
  static let trampoline = lesson(
    "trampoline", PackageResources.trampoline_lesson,
    choices: [
      { wrapperOfHome($0) == .thunk },
      { wrapperOfHome($0) == .method },
      { wrapperOfHome($0) == .closure },
    ])

  private static func wrapperOfHome(_ run: Run) -> ImplementationView.Kind? {
    guard case .implementation(_, let view, _) = run.answer("imp ada setHome:") else { return nil }
    return view?.kind
  }
}
