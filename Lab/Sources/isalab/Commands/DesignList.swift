/// The designs, with the facts that they are made from.
struct DesignList {
  var console: Console

  func show() {
    for design in Designs.all {
      console.out("\(design.name): \(design.title)")
      for line in wrapped(design.source, width: 80, indent: "  ") { console.out(line) }
      console.out("")
    }
  }
}
