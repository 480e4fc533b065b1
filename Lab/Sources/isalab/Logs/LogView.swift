/// Shows the things that a log tells of.
struct LogView {
  var style = TextStyle()
  var language = Language.english

  func lines(of findings: LogFindings) -> [String] {
    var blocks = findings.symptoms.map { lines(of: $0) }
    blocks += findings.mistakes.map { finding in
      [head(finding, finding.subject.text[language]), quoted(finding.quote), ""]
        + ExplanationView(style: style, language: language).lines(of: finding.subject)
    }
    if !findings.frames.isEmpty { blocks.append(lines(of: findings.frames)) }
    return Array(blocks.joined(separator: [""]))
  }

  // MARK: One symptom

  private func lines(of finding: LogFindings.Finding<Symptom>) -> [String] {
    let symptom = finding.subject
    var lines = [head(finding, symptom.title[language]), quoted(finding.quote), ""]
    lines += field(LogWords.says, symptom.says[language])
    lines += finding.details.flatMap { field(LogWords.yours, self.details($0)) }
    lines += field(LogWords.here, here(symptom))
    lines += field(LogWords.lesson, symptom.lesson.command(in: language))
    if let exhibit = symptom.exhibit {
      lines += field(LogWords.museum, "isalab museum \(exhibit.name)")
    }
    lines += causes(symptom.causes.map { $0[language] })
    return lines + field(LogWords.cure, symptom.fix[language])
  }

  private func head<Subject>(
    _ finding: LogFindings.Finding<Subject>, _ title: String
  ) -> String {
    let place =
      finding.count == 1
      ? language.say("log.line", ["line": finding.line])
      : language.say("log.times", ["count": finding.count, "line": finding.line])
    return style.heading(title) + style.faint(place)
  }

  private func quoted(_ line: String) -> String {
    var text = ""
    var width = 0
    for character in line.shown {
      width += character.columns
      if width > 73 { return style.bad("  | \(text)…") }
      text.append(character)
    }
    return style.bad("  | \(text)")
  }

  private func here(_ symptom: Symptom) -> String {
    guard let status = symptom.status,
      let explanation = Explanation.all.first(where: { $0.code == status })
    else { return symptom.instead?[language] ?? "" }
    let messages = explanation.mistakes.flatMap(\.messages).map { MessageFormat($0).readable }
    // The report that says it in the same words, if there is one.
    let same = messages.first { message in
      symptom.signs.contains { message.lowercased().contains($0) }
    }
    let more = language.say(
      "log.explain",
      ["message": same ?? explanation.text[language], "code": explanation.code])
    return "\(explanation.code): \(more)"
  }

  private func causes(_ causes: [String]) -> [String] {
    if causes.count == 1 { return field(LogWords.cause, causes[0]) }
    return causes.enumerated().flatMap { index, cause in
      field(index == 0 ? LogWords.causes : Text(same: ""), "\(index + 1). " + cause)
    }
  }

  // MARK: Names that were read

  private func details(_ details: [LogFindings.Detail]) -> String {
    details.map { detail in
      let name = LogWords.names[detail.name]?[language] ?? detail.name
      let value = detail.value.shown
      return "\(name) \(detail.name == "address" ? noted(value) : value)"
    }.joined(separator: language.say("log.comma"))
  }

  /// The address of a fault often tells by itself how it was come by.
  private func noted(_ address: String) -> String {
    guard let value = UInt64(address.dropFirst(2), radix: 16) else { return address }
    if value < 0x10000 { return language.say("log.no-field", ["address": address]) }
    let bytes = Set(withUnsafeBytes(of: value) { Array($0.prefix(6)) })
    if bytes.count == 1, [0x55, 0xAA, 0xBE, 0xEF].contains(bytes.first) {
      return language.say("log.scribbled", ["address": address])
    }
    return value >> 47 == 0 ? address : language.say("log.no-pointer", ["address": address])
  }

  // MARK: Frames

  private func lines(of frames: [LogFindings.Frame]) -> [String] {
    var lines = [style.heading(LogWords.frames[language])]
    var section: String?
    for frame in frames {
      if let name = frame.section, name != section { lines += ["  " + style.faint(name.shown)] }
      section = frame.section
      lines.append("  " + style.notable(frame.frame.name))
      lines += wrapped(frame.frame.does[language], width: 78, indent: "          ")
      lines += field(LogWords.here, frame.frame.here[language])
    }
    return lines
  }

  private func field(_ name: Text, _ text: String) -> [String] {
    labelled(name[language], text)
  }
}
