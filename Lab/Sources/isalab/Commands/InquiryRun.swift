/// The commands that ask about the steps of one run: inspect, diff, why, dispatch, thunk.
struct InquiryRun {
  var options: TextOptions
  var console: Console
  var execution = Execution()

  /// - Returns: 2 if there is no such scenario, step or name, or the run stopped before its end.
  func inspect(_ file: String, at stop: Stop?, named name: String?) -> Int32 {
    answer(file) { inquiry throws(InquiryError) in
      let moment = try inquiry.moment(stop)
      if let name { try inquiry.subject(name, at: moment) }
      let state = inquiry.run.state(at: moment)
      return heading(inquiry, moment) + InspectView(options).lines(of: state, named: name)
    }
  }

  func difference(_ file: String, from first: Stop, to second: Stop) -> Int32 {
    answer(file) { inquiry throws(InquiryError) in
      let (first, second) = (try inquiry.moment(first), try inquiry.moment(second))
      let difference = StateDifference(
        from: inquiry.run.state(at: first), to: inquiry.run.state(at: second))
      return heading(inquiry, first) + heading(inquiry, second) + [""]
        + DifferenceView(options).lines(of: difference, isBackward: first > second)
    }
  }

  func dispatch(_ file: String, _ selector: String, to receiver: String, at step: Int?) -> Int32 {
    answer(file) { inquiry throws(InquiryError) in
      let step = try inquiry.step(step)
      let lookup = try inquiry.lookup(of: selector, to: receiver, at: step)
      return heading(inquiry, step) + [""] + LookupView(options).lines(of: lookup)
    }
  }

  func thunk(_ file: String, _ subject: String, _ selector: String?, at step: Int?) -> Int32 {
    answer(file) { inquiry throws(InquiryError) in
      let step = try inquiry.step(step)
      let road = try inquiry.road(subject, selector, at: step)
      guard options.showsAddresses, execution.design == nil, let program = inquiry.run.program
      else {
        return heading(inquiry, step) + [""] + ThunkView(options).lines(of: road, code: [])
      }
      // The code is read in a second run, while the wrapper is there.
      let probe = CodeProbe(step: step, className: road.className, selector: road.selector)
      let again = Runner.run(program, limit: execution.limit, probe: probe)
      let real = try Inquiry(run: again).road(subject, selector, at: step)
      return heading(inquiry, step) + [""] + ThunkView(options).lines(of: real, code: again.code)
    }
  }

  func why(_ file: String, _ question: WhyQuestion) -> Int32 {
    answer(file) { inquiry throws(InquiryError) in
      try WhyView(options).lines(of: inquiry, question)
    }
  }

  // MARK: Shared parts

  private func answer(
    _ file: String, _ body: (Inquiry) throws(InquiryError) -> [String]
  ) -> Int32 {
    let run: Run
    do throws(DiagnosticList) {
      let program = try ScenarioFile(name: file).program()
      console.warn(of: program, in: options.language)
      run = try execution.run(program)
    } catch {
      console.err(error.text(in: options.language))
      return 2
    }
    if let stopped = run.stopped { console.err(stopped.text(in: options.language)) }
    do throws(InquiryError) {
      for line in try body(Inquiry(run: run)) { console.out(line) }
      return run.stopped == nil ? 0 : 2
    } catch {
      console.err(error.diagnostic(in: run).text(in: options.language))
      return 2
    }
  }

  private func heading(_ inquiry: Inquiry, _ step: Int) -> [String] {
    heading(inquiry, Moment(step: step))
  }

  private func heading(_ inquiry: Inquiry, _ moment: Moment) -> [String] {
    wrapped(inquiry.title(of: moment, in: options.language), width: 80).map(options.style.faint)
  }
}
