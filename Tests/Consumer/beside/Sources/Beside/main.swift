// The library beside the modules that people import with it, and types of their own that have the
// names of things that it deals with: nothing of it may be in their way.
import Foundation
import IsaKVO
import IsaKVOFoundation
import Observation
import OpenCombine

struct Event { var name = "event" }
struct Property { var name = "property" }
struct Selector { var name = "selector" }
struct Change { var name = "change" }
struct Null { var name = "null" }
struct Registration { var name = "registration" }
struct Profile { var name = "profile" }
struct Method { var name = "method" }
struct Ivar { var name = "ivar" }

/// The reactive library's own word, which is another type than the one of that name in this module.
final class Feed: ObservableObject {
  @OpenCombine.Published var title = "feed"
}

/// The standard library's observation.
@Observable
final class Settings {
  var volume = 1
  @ObservationIgnored var untold = 0
}

final class Person: KVObject {
  @Dynamic var age = 40
}

var lines: [String] = []
let own = [
  Event().name, Property().name, Selector().name, Change().name, Null().name, Registration().name,
  Profile().name, Method().name, Ivar().name,
]
lines.append(own.joined(separator: " "))

let person = Person()
let token: NSKeyValueObservation = person.observe(\.age, options: .new) { _, change in
  lines.append("age \(change.newValue ?? 0)")
}
person.age = 41

let feed = Feed()
let sink: AnyCancellable = feed.$title.sink { lines.append("title \($0)") }
feed.title = "news"

let settings = Settings()
// By the module's name as well, which no type may hide.
let observable: any Observation.Observable = settings
let registrar = Observation.ObservationRegistrar()
withObservationTracking {
  _ = settings.volume
} onChange: {
  print("volume changes")
}
settings.volume = 2

let subject = PassthroughSubject<Int, Never>()
let cancellable = subject.sink { lines.append("subject \($0)") }
let forwarding = person.observe(\.age) { person, _ in subject.send(person.age) }
person.age = 42

let draft = Draft()
draft.text = "own"
lines.append("\(draft.text), \(draft.$text) changes, \(draft.length)")

print(lines.joined(separator: "\n"))
withExtendedLifetime((token, sink, cancellable, forwarding, observable, registrar)) {}
