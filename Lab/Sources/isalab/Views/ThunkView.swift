/// The road of one message as lines.
struct ThunkView: InquiryView {
  let steps: StepView

  /// - Parameter code: The machine code of the method, to be shown with addresses only.
  func lines(of road: ThunkRoad, code: [UInt8]) -> [String] {
    let method = road.method
    var lines = [style.heading("\(road.selector) of \(road.className), \(method.types)"), ""]
    lines += signature(road)
    lines += ["", style.heading("the road of a call")] + TextTable(way(road)).lines
    lines += apple(road)
    guard options.showsAddresses else { return lines }
    lines += ["", style.heading("machine code of \(method.name)")]
    return lines + Disassembly.lines(of: code, at: method.address).map { "  " + $0 }
  }

  private func signature(_ road: ThunkRoad) -> [String] {
    guard let signature = road.signature else {
      return ["  libffi cannot pass one of these types"]
    }
    let head = [["", "encoding", "size", "ffi_type"]]
    let types = signature.values.map { value in
      [value.role, value.type.encoding, "\(value.type.size)", value.type.ffiType]
    }
    let places = signature.values.map { [$0.role, text($0.x86), text($0.arm)] }
    return [style.heading("from encoding to ffi_type")] + TextTable(head + types).lines
      + ["", style.heading("from ffi_type to registers")]
      + TextTable([["", "x86-64 (System V)", "arm64 (AAPCS64)"]] + places).lines
  }

  /// Apple's way to wrap the same setter.
  private func apple(_ road: ThunkRoad) -> [String] {
    guard road.method.kind != .method, let value = road.signature?.values.last else { return [] }
    let sentence = AppleWrapper(value.type.encoding).sentence(road.selector)
    return ["", style.heading("with Apple, whose KVO has no libffi")]
      + wrapped(sentence, width: 78).map { "  " + $0 }
  }

  private func text(_ passage: SignatureRoad.Passage) -> String {
    passage.classes.isEmpty
      ? "nothing"
      : passage.classes.joined(separator: "+") + ": " + passage.places.joined(separator: ", ")
  }

  private func way(_ road: ThunkRoad) -> [[String]] {
    let method = road.method
    let table = "the dispatch table of \(road.className) leads to \(steps.implementation(method))"
    let key = road.key.map { " of \($0)" } ?? ""
    switch method.kind {
    case .method:
      return [
        ["1", table],
        ["2", "it runs with the arguments as they came: nothing is wrapped around it"],
      ]
    case .thunk:
      return [
        ["1", table],
        ["2", "the thunk was compiled once for this type; isa and selector lead it to its record"],
      ] + setting(method, key, by: "by a plain call of this type")
    case .closure:
      return [
        ["1", table],
        ["2", "the closure's code was made at run time; it brings its record along"],
        ["", "libffi stores the registers into memory and hands out an address per argument"],
      ] + setting(method, key, by: "by libffi, which loads the registers again")
    }
  }

  private func setting(
    _ method: ImplementationView, _ key: String, by call: String
  ) -> [[String]] {
    [
      ["3", "will change\(key)"],
      ["4", "\(method.original ?? "the original"), \(call)"],
      ["5", "did change\(key): observers are told"],
    ]
  }
}
