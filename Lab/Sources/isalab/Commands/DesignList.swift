/// The designs, with the facts that they are made from.
struct DesignList {
  var console: Console
  var language: Language

  func show() {
    for design in Designs.all {
      console.out(
        language.say("museum.head", ["design": design.name]) + language.say("museum.space")
          + design.title[language])
      for line in wrapped(design.source[language], width: 80, indent: "  ") { console.out(line) }
      console.out("")
    }
  }
}
