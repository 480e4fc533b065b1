/// The lookup of one message as lines.
struct LookupView: InquiryView {
  let steps: StepView

  func lines(of lookup: Lookup) -> [String] {
    let head = style.heading("\(lookup.selector) to \(lookup.receiver)")
    return [head, ""] + TextTable(road(lookup), indent: "  ").lines
      + ["", style.heading("the classes on the way")]
      + TextTable(lookup.visits.map { row($0, lookup) }).lines
  }

  private func road(_ lookup: Lookup) -> [[String]] {
    let address = lookup.object.map { steps.place($0.address) } ?? ""
    var rows = [
      ["1", "header", "\(lookup.receiver)\(address): word 0 is the isa"],
      ["2", "isa", isaText(lookup)],
    ]
    if let place = lookup.place {
      rows.append([
        "3", "table", "page \(place.page), slot \(place.slot): where every class has this selector",
      ])
      rows.append(["4", "page", pageText(lookup)])
    } else {
      rows.append(["3", "table", "nobody has named this selector: there is no place for it"])
    }
    let number = rows.count + 1
    if let found = lookup.found {
      rows.append([
        "\(number)", "IMP", "\(steps.implementation(found)), declared by \(found.owner)",
      ])
      rows += lookup.hidden.map { ["", "", "it hides \($0.name)"] }
    } else {
      rows.append(["\(number)", "IMP", "none: the selector is not recognised"])
    }
    return rows
  }

  private func isaText(_ lookup: Lookup) -> String {
    guard let object = lookup.object, object.claim != object.isa else { return lookup.isa }
    return "\(lookup.isa), though 'class' answers \(object.claim)"
  }

  private func pageText(_ lookup: Lookup) -> String {
    guard let owner = lookup.pageOwner else { return "the empty page, which all classes share" }
    return owner == lookup.isa ? "its own copy" : "\(owner)'s, shared by \(lookup.isa)"
  }

  private func row(_ visit: Lookup.Visit, _ lookup: Lookup) -> [String] {
    let part =
      visit.method.map { $0 == lookup.found ? "declares it" : "declares it too, hidden" }
      ?? "does not declare it"
    return [
      visit.className, counted(visit.methodCount, "method"),
      visit.hasOwnPage ? "page of its own" : "page shared", part,
    ]
  }
}
