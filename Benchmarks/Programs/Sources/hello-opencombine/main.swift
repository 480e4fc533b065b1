import OpenCombine

final class Greeter {
  @Published var word = ""
}

let greeter = Greeter()
let subscription = greeter.$word.dropFirst().sink { print($0) }
greeter.word = "hello"
subscription.cancel()
