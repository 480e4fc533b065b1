/// All that stands after one step as lines: objects with their headers, class pairs with their
/// method tables.
struct InspectView: InquiryView {
  let steps: StepView

  /// - Parameter name: The object or class to show alone.
  func lines(of state: WorldState, named name: String? = nil) -> [String] {
    if let name { return lines(of: name, state) }
    let objects = state.objects.flatMap { [""] + lines(of: $0) }
    let classes = state.classes.filter { !$0.isBuiltIn }.flatMap { [""] + lines(of: $0) }
    return objects.isEmpty && classes.isEmpty ? ["", "nothing is there yet"] : objects + classes
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
    let held = object.isHeld ? "" : ", released by the scenario, held by others"
    var lines = [style.heading("\(object.name), \(object.symbol)") + place(object.address) + held]
    lines +=
      TextTable([
        ["word 0", "isa", isaText(object)], ["word 1", "record", recordText(object)],
      ]).lines
    if let contents = object.contents {
      lines += TextTable([["holds", "\(contents)"]]).lines
    }
    lines += ivars(object.ivars)
    lines += TextTable(registrations(of: object) + pending(of: object)).lines
    return lines
  }

  private func isaText(_ object: ObjectState) -> String {
    object.isa == object.claim
      ? "\(object.isa), and so says 'class'" : "\(object.isa), but 'class' says \(object.claim)"
  }

  private func recordText(_ object: ObjectState) -> String {
    let count = "the count, \(object.retainCount)"
    return switch object.record {
    case .count: count
    case .side: "leads to a side record, which has \(count), and what else there is"
    case .immortal: "immortal, nothing is counted"
    }
  }

  private func ivars(_ ivars: [IvarState]) -> [String] {
    let rows = ivars.map { ivar in
      [
        "\(ivar.offset)", ivar.name, ivar.encoding, counted(ivar.size, "byte"), "of \(ivar.owner)",
        "\(ivar.value)" + (ivar.isWeak ? ", weak" : ""),
      ]
    }
    return TextTable(rows).lines
  }

  private func registrations(of object: ObjectState) -> [[String]] {
    if object.registrations.isEmpty { return [["observed by", "nobody"]] }
    return object.registrations.map { registration in
      let options = registration.options.joined(separator: ", ")
      let context = registration.context == 0 ? "" : ", context \(registration.context)"
      let shared = registration.isShared ? ", shared" : ""
      let text =
        registration.root.map {
          ".\(registration.key), a forwarder for \(registration.observer), who observes \($0)"
        }
        ?? ".\(registration.key) by \(registration.observer), options(\(options))\(context)\(shared)"
      return ["observed", text]
    }
  }

  private func pending(of object: ObjectState) -> [[String]] {
    object.pending.map { view in
      let kind = view.kind == .setting ? "" : ", \(indefinite(view.kind.rawValue))"
      return ["announced", ".\(view.key)\(kind), not ended"]
    }
  }

  // MARK: Classes

  private func lines(of cls: ClassState) -> [String] {
    let metaclass = cls.metaclass
    let notifying = cls.isNotifying ? ", made by the runtime for \(cls.original)" : ""
    var lines = [style.heading(cls.name) + place(cls.address) + notifying]
    lines +=
      TextTable([
        ["superclass", cls.superclass ?? "nil"],
        [
          "metaclass",
          "\(metaclass.name), whose superclass is \(metaclass.superclass ?? "nil")",
        ],
        ["instances", "\(cls.instanceSize) bytes, 16 of them the header"],
      ]).lines
    lines +=
      TextTable(cls.ivars.map { ["\($0.offset)", $0.name, $0.encoding] }, indent: "    ")
      .lines
    lines += [cls.methods.isEmpty ? "  no methods of its own" : "  methods of its own"]
    lines += methods(cls.methods)
    guard !metaclass.methods.isEmpty else { return lines }
    return lines + ["  methods of its metaclass"] + methods(metaclass.methods)
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
    let root = lineage.last.map { ", and what \($0.name) has" } ?? ""
    return [style.heading("messages to instances of \(name)\(root)")]
      + TextTable([["selector", "declared by", "runs"]] + rows).lines
  }

  private func place(_ address: UInt) -> String { steps.place(address) }
}
