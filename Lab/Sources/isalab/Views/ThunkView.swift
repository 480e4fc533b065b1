/// The road of one message as lines.
struct ThunkView: InquiryView {
  let steps: StepView

  /// - Parameter code: The machine code of the method, to be shown with addresses only.
  func lines(of road: ThunkRoad, code: [UInt8]) -> [String] {
    let method = road.method
    var lines = [
      style.heading(
        say(
          "thunk.head", ["selector": road.selector, "class": road.className, "types": method.types])
      ), "",
    ]
    lines += signature(road)
    lines += ["", style.heading(say("thunk.road"))] + TextTable(way(road)).lines
    lines += apple(road)
    guard options.showsAddresses else { return lines }
    lines += ["", style.heading(say("thunk.code", ["method": method.name]))]
    return lines
      + Disassembly.lines(
        of: code, at: method.address, language: options.language
      ).map { "  " + $0 }
  }

  private func signature(_ road: ThunkRoad) -> [String] {
    guard let signature = road.signature else {
      return [say("thunk.not-passable")]
    }
    let head = [["", say("thunk.encoding"), say("thunk.size"), "ffi_type"]]
    let types = signature.values.map { value in
      [value.role[options.language], value.type.encoding, "\(value.type.size)", value.type.ffiType]
    }
    let places = signature.values.map { [$0.role[options.language], text($0.x86), text($0.arm)] }
    return [style.heading(say("thunk.to-ffi"))] + TextTable(head + types).lines
      + ["", style.heading(say("thunk.to-registers"))]
      + TextTable([["", "x86-64 (System V)", "arm64 (AAPCS64)"]] + places).lines
  }

  /// Apple's way to wrap the same setter.
  private func apple(_ road: ThunkRoad) -> [String] {
    guard road.method.kind != .method, let value = road.signature?.values.last else { return [] }
    let sentence = AppleWrapper(value.type.encoding).sentence(road.selector)[options.language]
    return ["", style.heading(say("thunk.apple"))]
      + wrapped(sentence, width: 78).map { "  " + $0 }
  }

  private func text(_ passage: SignatureRoad.Passage) -> String {
    passage.classes.isEmpty
      ? say("thunk.no-place")
      : passage.classes.joined(separator: "+") + ": "
        + passage.places.map { $0[options.language] }.joined(separator: ", ")
  }

  private func way(_ road: ThunkRoad) -> [[String]] {
    let method = road.method
    let table = say(
      "thunk.table", ["class": road.className, "method": steps.implementation(method)])
    let key = road.key.map { say("thunk.of-key", ["key": $0]) } ?? ""
    switch method.kind {
    case .method:
      return [
        ["1", table],
        ["2", say("thunk.unwrapped")],
      ]
    case .thunk:
      return [
        ["1", table],
        ["2", say("thunk.compiled")],
      ] + setting(method, key, by: say("thunk.plain-call"))
    case .closure:
      return [
        ["1", table],
        ["2", say("thunk.made")],
        ["", say("thunk.stored")],
      ] + setting(method, key, by: say("thunk.ffi-call"))
    }
  }

  private func setting(
    _ method: ImplementationView, _ key: String, by call: String
  ) -> [[String]] {
    [
      ["3", say("thunk.will", ["key": key])],
      ["4", (method.original ?? say("thunk.original")) + say("step.comma") + call],
      ["5", say("thunk.did", ["key": key])],
    ]
  }
}
