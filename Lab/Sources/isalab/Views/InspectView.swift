/// All that stands after one step as lines: objects with their headers, class pairs with their
/// method tables.
struct InspectView: InquiryView {
  let steps: StepView

  /// - Parameter name: The object or class to show alone.
  func lines(of state: WorldState, named name: String? = nil) -> [String] {
    if let name { return lines(of: name, state) }
    let objects = state.objects.flatMap { [""] + lines(of: $0) }
    let classes = state.classes.filter { !$0.isBuiltIn }.flatMap { [""] + lines(of: $0) }
    return objects.isEmpty && classes.isEmpty
      ? ["", say("inspect.nothing-yet")] : objects + classes
  }

  private func lines(of name: String, _ state: WorldState) -> [String] {
    if let object = state.object(name) {
      return [""] + lines(of: object) + [""] + table(ofClass: object.isa, state)
    }
    guard let cls = state.cls(name) else { return [] }
    return [""] + lines(of: cls) + [""] + table(ofClass: name, state)
  }

  // MARK: Objects

  private func lines(of object: ObjectState) -> [String] {
    let held = object.isHeld ? "" : say("inspect.released")
    var lines = [style.heading("\(object.name), \(object.symbol)") + place(object.address) + held]
    lines +=
      TextTable([
        [say("inspect.word-0"), "isa", isaText(object)],
        [say("inspect.word-1"), say("inspect.record"), recordText(object)],
      ]).lines
    if let contents = object.contents {
      lines += TextTable([[say("inspect.holds"), "\(contents)"]]).lines
    }
    lines += ivars(object.ivars)
    lines += TextTable(registrations(of: object) + pending(of: object)).lines
    return lines
  }

  private func isaText(_ object: ObjectState) -> String {
    object.isa == object.claim
      ? say("inspect.isa-agrees", ["isa": object.isa])
      : say("inspect.isa-differs", ["isa": object.isa, "claim": object.claim])
  }

  private func recordText(_ object: ObjectState) -> String {
    let count = say("inspect.count", ["count": object.retainCount])
    return switch object.record {
    case .count: count
    case .side: say("inspect.side", ["count": count])
    case .immortal: say("inspect.immortal")
    }
  }

  private func ivars(_ ivars: [IvarState]) -> [String] {
    let rows = ivars.map { ivar in
      [
        "\(ivar.offset)", ivar.name, ivar.encoding, say("inspect.bytes", ["count": ivar.size]),
        say("inspect.of-class", ["class": ivar.owner]),
        "\(ivar.value)" + (ivar.isWeak ? say("inspect.weak") : ""),
      ]
    }
    return TextTable(rows).lines
  }

  private func registrations(of object: ObjectState) -> [[String]] {
    if object.registrations.isEmpty {
      return [[say("inspect.observed-by"), say("inspect.nobody")]]
    }
    return object.registrations.map { registration in
      let options = registration.options.joined(separator: ", ")
      let context =
        registration.context == 0 ? "" : say("inspect.context", ["value": registration.context])
      let shared = registration.isShared ? say("inspect.shared") : ""
      let who = registration.observer.objectName(in: self.options.language)
      let text =
        registration.root.map {
          say("inspect.forwarded", ["key": registration.key, "observer": who, "path": $0])
        }
        ?? say(
          "inspect.observed-entry",
          [
            "key": registration.key, "observer": who, "options": options, "context": context,
            "shared": shared,
          ])
      return [say("inspect.observed"), text]
    }
  }

  private func pending(of object: ObjectState) -> [[String]] {
    object.pending.map { view in
      let kind = view.kind == .setting ? "" : say("inspect.kind", ["kind": steps.kind(view.kind)])
      return [say("inspect.announced"), say("inspect.not-ended", ["key": view.key, "kind": kind])]
    }
  }

  // MARK: Classes

  private func lines(of cls: ClassState) -> [String] {
    let metaclass = cls.metaclass
    let notifying = cls.isNotifying ? say("inspect.made", ["class": cls.original]) : ""
    var lines = [style.heading(cls.name) + place(cls.address) + notifying]
    lines +=
      TextTable([
        [say("inspect.superclass"), cls.superclass ?? "nil"],
        [
          say("inspect.metaclass"),
          say(
            "inspect.metaclass-entry",
            [
              "name": Text(metaclass.name.className),
              "superclass": Text((metaclass.superclass ?? "nil").className),
            ]),
        ],
        [say("inspect.instances"), say("inspect.instance-size", ["size": cls.instanceSize])],
      ]).lines
    lines +=
      TextTable(cls.ivars.map { ["\($0.offset)", $0.name, $0.encoding] }, indent: "    ")
      .lines
    lines += [cls.methods.isEmpty ? say("inspect.no-methods") : say("inspect.methods")]
    lines += methods(cls.methods)
    guard !metaclass.methods.isEmpty else { return lines }
    return lines + [say("inspect.metaclass-methods")] + methods(metaclass.methods)
  }

  private func methods(_ methods: [ImplementationView]) -> [String] {
    TextTable(methods.map { [$0.selector, $0.types, text($0)] }, indent: "    ").lines
  }

  private func text(_ method: ImplementationView) -> String {
    method.kind == .method && !options.showsAddresses ? "" : steps.implementation(method)
  }

  /// The methods of instances, inherited ones included, each with the class that declares it.
  private func table(ofClass name: String, _ state: WorldState) -> [String] {
    let lineage = state.lineage(of: name)
    var seen: Set<String> = []
    let rows = lineage.filter { !$0.isBuiltIn }.flatMap { cls in
      cls.methods.filter { seen.insert($0.selector).inserted }.map {
        [$0.selector, cls.name, steps.implementation($0)]
      }
    }
    let root = lineage.last.map { say("inspect.root", ["class": $0.name]) } ?? ""
    return [style.heading(say("inspect.messages", ["class": name, "root": root]))]
      + TextTable(
        [[say("inspect.selector"), say("inspect.declared-by"), say("inspect.runs")]] + rows
      ).lines
  }

  private func place(_ address: UInt) -> String { steps.place(address) }
}
