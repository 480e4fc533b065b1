/// The tour as text: each lesson's words around the steps that it really ran.
struct TourView {
  private let options: TextOptions

  init(_ options: TextOptions) { self.options = options }

  func lines(of run: Run) -> [String] {
    Tour.lessons.indices.flatMap { lines(ofLesson: $0, run) } + wrapped(Tour.farewell)
  }

  private func lines(ofLesson index: Int, _ run: Run) -> [String] {
    let lesson = Tour.lessons[index]
    let range = Tour.lineRange(ofLesson: index)
    var lessonOptions = options
    lessonOptions.showsTrace = options.showsTrace || lesson.showsTrace
    let view = StepView(lessonOptions)
    let steps = run.steps.filter { range.contains($0.location.line) }
    let heading = options.style.heading("\(index + 1). \(lesson.title)")
    return [heading, ""] + wrapped(lesson.introduction) + [""]
      + steps.flatMap { view.lines(of: $0) } + [""] + wrapped(lesson.conclusion)
      + ["", ""]
  }
}
