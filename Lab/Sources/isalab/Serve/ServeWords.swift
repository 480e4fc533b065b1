/// The words of the server and its editor.
enum ServeWords {
  static let title = Text("serve.title")
  static let open = Text("serve.open")
  static let files = Text("serve.files")
  static let traces = Text("serve.traces")
  static let examples = Text("serve.examples")
  static let lessons = Text("serve.lessons")
  static let failures = Text("serve.failures")
  static let scenario = Text("serve.scenario")
  static let run = Text("serve.run")
  static let proposals = Text("serve.proposals")
  static let reference = Text("serve.reference")
  static let inserts = Text("serve.inserts")
  static let problems = Text("serve.problems")
  static let exercise = Text("serve.exercise")
  static let holds = Text("serve.holds")
  static let check = Text("serve.check")
  static let share = Text("serve.share")
  static let save = Text("serve.save")
  /// The name of a language, in that language.
  static let language = Text("serve.language")
  static let design = Text("serve.design")
  static let beside = Text("serve.beside")
  static let keys = Text("serve.keys")

  /// The words that the script fills in.
  static let script: [String: Text] = [
    "fine": Text("serve.fine"),
    "running": Text("serve.running"),
    "stale": Text("serve.stale"),
    "place": Text("serve.place"),
    "warning": Text("serve.warning"),
    "gone": Text("serve.gone"),
    "solved": Text("serve.solved"),
    "unsolved": Text("serve.unsolved"),
    "discard": Text("serve.discard"),
    "class": Text("serve.kind-class"),
    "object": Text("serve.kind-object"),
    "observer": Text("serve.kind-observer"),
    "key": Text("serve.kind-key"),
    "type": Text("serve.kind-type"),
    "word": Text("serve.kind-word"),
  ]

  static func endless(_ seconds: Double) -> Text {
    Text("serve.endless", ["seconds": seconds.formatted()])
  }

  static func crashed(_ signal: Text, _ said: String) -> Text {
    let sentence = said.split(separator: "\n").last.map { ": \($0)" } ?? ""
    return Text("serve.crashed", ["signal": signal, "sentence": sentence.shown])
  }

  /// A name that a file may have, whatever a request asks for.
  static func fileName(_ name: String?) -> String {
    guard let name, name.wholeMatch(of: #/[A-Za-z0-9][A-Za-z0-9._-]{0,59}/#) != nil else {
      return "scenario.kvo"
    }
    return name.hasSuffix(".kvo") ? name : name + ".kvo"
  }
}
