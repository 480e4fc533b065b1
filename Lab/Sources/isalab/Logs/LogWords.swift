/// The words around what a log tells of.
enum LogWords {
  static let says = Text("log.says")
  static let yours = Text("log.yours")
  static let here = Text("log.here")
  static let lesson = Text("log.lesson")
  static let museum = Text("log.museum")
  static let cause = Text("log.cause")
  static let causes = Text("log.causes")
  static let cure = Text("log.cure")
  static let frames = Text("log.frames")

  /// The names that expressions read.
  static let names: [String: Text] = [
    "observer": Text("log.observer"), "keyPath": Text("log.key-path"),
    "object": Text("log.object"), "class": Text("log.class"), "key": Text("log.key"),
    "selector": Text("log.selector"), "address": Text("log.address"),
    "index": Text("log.index"), "bounds": Text("log.bounds"),
    "exception": Text("log.exception"), "reason": Text("log.reason"),
    "queue": Text("log.queue"), "file": Text("log.place"), "type": Text("log.from"),
    "target": Text("log.to"), "symbol": Text("log.function"), "kind": Text("log.access"),
    "place": Text("log.place"), "size": Text("log.size"), "thread": Text("log.thread"),
  ]
}
