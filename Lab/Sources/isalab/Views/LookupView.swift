/// The lookup of one message as lines.
struct LookupView: InquiryView {
  let steps: StepView

  func lines(of lookup: Lookup) -> [String] {
    let head = style.heading(
      say("dispatch.head", ["selector": lookup.selector, "receiver": lookup.receiver]))
    return [head, ""] + TextTable(road(lookup), indent: "  ").lines
      + ["", style.heading(say("dispatch.classes"))]
      + TextTable(lookup.visits.map { row($0, lookup) }).lines
  }

  private func road(_ lookup: Lookup) -> [[String]] {
    let address = lookup.object.map { steps.place($0.address) } ?? ""
    var rows = [
      [
        "1", say("dispatch.header"),
        say("dispatch.word-0", ["receiver": lookup.receiver, "address": address]),
      ],
      ["2", "isa", isaText(lookup)],
    ]
    if let place = lookup.place {
      rows.append([
        "3", say("dispatch.table"),
        say("dispatch.place", ["page": place.page, "slot": place.slot]),
      ])
      rows.append(["4", say("dispatch.page"), pageText(lookup)])
    } else {
      rows.append(["3", say("dispatch.table"), say("dispatch.no-place")])
    }
    let number = rows.count + 1
    if let found = lookup.found {
      rows.append([
        "\(number)", "IMP",
        say(
          "dispatch.imp",
          ["method": steps.implementation(found), "class": Text(found.owner.className)]),
      ])
      rows += lookup.hidden.map { ["", "", say("dispatch.hides", ["method": $0.name])] }
    } else {
      rows.append(["\(number)", "IMP", say("dispatch.no-imp")])
    }
    return rows
  }

  private func isaText(_ lookup: Lookup) -> String {
    guard let object = lookup.object, object.claim != object.isa else {
      return lookup.isa.className(in: steps.options.language)
    }
    return say("dispatch.isa", ["isa": lookup.isa, "claim": object.claim])
  }

  private func pageText(_ lookup: Lookup) -> String {
    guard let owner = lookup.pageOwner else { return say("dispatch.empty-page") }
    if owner == lookup.isa { return say("dispatch.own-copy") }
    return say(
      "dispatch.shared-page",
      ["class": Text(owner.className), "isa": Text(lookup.isa.className)])
  }

  private func row(_ visit: Lookup.Visit, _ lookup: Lookup) -> [String] {
    let part =
      visit.method.map { $0 == lookup.found ? say("dispatch.declares") : say("dispatch.hidden") }
      ?? say("dispatch.not-declared")
    return [
      visit.className.className(in: steps.options.language),
      say("inspect.method-count", ["count": visit.methodCount]),
      visit.hasOwnPage ? say("dispatch.own-page") : say("dispatch.page-shared"), part,
    ]
  }
}
