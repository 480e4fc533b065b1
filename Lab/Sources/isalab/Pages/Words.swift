/// The pages' own words.
enum Words {
  static let before = Text("page.start")
  static let serves = Text("page.serves")
  static let steps = Text("page.steps")
  static let first = Text("page.first")
  static let previous = Text("page.previous")
  static let next = Text("page.next")
  static let step = Text("page.step")
  static let dark = Text("page.dark")
  static let skip = Text("page.skip")
  static let drawing = Text("page.drawing")
  static let way = Text("page.lane")
  static let metaclasses = Text("page.metaclasses")
  static let whole = Text("page.whole")
  static let touched = Text("page.touched")
  static let into = Text("page.into")
  static let back = Text("page.back")
  static let out = Text("page.out")
  static let over = Text("page.over")
  static let scenario = Text("page.scenario")
  static let language = Text("page.language")
  static let alone = Text("page.alone")
  static let happened = Text("page.happened")
  static let events = Text("page.events")
  static let methods = Text("page.methods")
  static let objects = Text("page.objects")
  static let observations = Text("page.observations")
  static let all = Text("page.all")
  static let line = Text("page.line")
  static let keys = Text("page.keys")

  static let script: [String: Text] = [
    "play": Text("script.play"),
    "pause": Text("script.pause"),
    "step": Text("script.step"),
    "none": Text("script.none"),
    "nothing": Text("script.nothing"),
    "noEvents": Text("script.no-events"),
    "chain": Text("script.chain"),
    "thread": Text("script.thread"),
    "selector": Text("script.selector"),
    "imp": Text("script.imp"),
    "owner": Text("script.owner"),
    "around": Text("script.around"),
    "new": Text("script.new"),
    "object": Text("script.object"),
    "isa": Text("script.isa"),
    "says": Text("script.says"),
    "count": Text("script.count"),
    "values": Text("script.values"),
    "observer": Text("script.observer"),
    "what": Text("script.observes"),
    "options": Text("script.options"),
    "superclass": Text("script.superclass"),
    "outside": Text("script.outside"),
    "silent": Text("script.silent"),
    "station": Text("script.station"),
    "noMethods": Text("script.no-methods"),
  ]
}
