import IsaKVO

final class Greeter: KVObject {
  @Dynamic var word = ""
}

let greeter = Greeter()
let observation = greeter.observe(\.word, options: .new) { _, change in
  print(change.newValue ?? "")
}
greeter.word = "hello"
observation.invalidate()
