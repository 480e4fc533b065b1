/// Objects and classes of a state as lines, one for each word of an object and each method of a
/// class, so that two states can be compared line by line.
struct StateText {
  let language: Language

  func lines(of subject: Lesson.Subject, in state: WorldState) -> [String] {
    switch subject {
    case .object(let name): state.object(name).map(lines) ?? []
    case .cls(let name): state.cls(name).map(lines) ?? []
    }
  }

  // MARK: Objects

  private func lines(of object: ObjectState) -> [String] {
    ["\(object.name), \(object.symbol)"]
      + [word(0, "isa  → \(object.isa)"), word(8, record(of: object))]
      + object.registrations.map { "        " + observer($0) }
      + (object.contents.map { ["      \($0)"] } ?? [])
      + object.ivars.map { word($0.offset, "\($0.name)  \($0.encoding)  \($0.value)") }
  }

  private func word(_ offset: Int, _ text: String) -> String {
    let number = String(offset)
    return String(repeating: " ", count: max(0, 5 - number.count)) + number + "  " + text
  }

  private func record(of object: ObjectState) -> String {
    let count = object.retainCount
    let text: Text =
      switch object.record {
      case .count: Text("state.count", ["count": count])
      case .side: Text("state.side", ["count": count])
      case .immortal: Text("state.immortal")
      }
    return text[language]
  }

  private func observer(_ registration: RegistrationView) -> String {
    let key = registration.key
    let who = registration.observer
    let text =
      registration.root.map {
        Text("state.forwarded", ["key": key, "path": $0])
      } ?? Text("state.observed", ["key": key, "observer": who.objectName(in: language)])
    return text[language]
  }

  // MARK: Classes

  private func lines(of cls: ClassState) -> [String] {
    let made = cls.isNotifying ? language.say("state.made") : ""
    let head = language.say("state.class") + cls.name
    return [cls.superclass.map { "\(head) : \($0)\(made)" } ?? head]
      + ["  isa  → \(cls.metaclass.name.className(in: language))"] + cls.methods.flatMap(lines)
  }

  /// Of a fixed width, so that a line is the same whatever other methods there are.

  private func lines(of method: ImplementationView) -> [String] {
    let around = method.original.map { language.say("state.around", ["method": $0]) } ?? ""
    let selector = padded(method.selector, 11)
    let line = "  \(selector)  \(padded(method.types, 4))  \(method.name)\(around)"
    return line.columns <= 76
      ? [line] : ["  \(method.selector)  \(method.types)", "    \(method.name)"]
  }
}
