/// A view of what an inquiry found, in the words in which steps are told.
protocol InquiryView {
  var steps: StepView { get }
  init(steps: StepView)
}

extension InquiryView {
  init(_ options: TextOptions) { self.init(steps: StepView(options)) }

  var options: TextOptions { steps.options }
  var style: TextStyle { options.style }

  func say(_ key: String, _ places: Places = [:]) -> String { steps.say(key, places) }
}
