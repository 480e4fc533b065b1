// Accesses to wrapped and to plain properties, one a function, whose machine code is compared.
import IsaKVO

final class Wrapped: KVObject {
  @Dynamic var number = 0
}

final class Plain {
  var number = 0
}

class WrappedCell<Value>: KVObject {
  @Dynamic var value: Value

  init(_ value: Value) { self.value = value }
}

@inline(never) func wrappedGet(_ object: Wrapped) -> Int { object.number }
@inline(never) func plainGet(_ object: Plain) -> Int { object.number }
@inline(never) func wrappedSet(_ object: Wrapped, _ value: Int) { object.number = value }
@inline(never) func plainSet(_ object: Plain, _ value: Int) { object.number = value }
@inline(never) func wrappedAdd(_ object: Wrapped, _ value: Int) { object.number += value }
@inline(never) func plainAdd(_ object: Plain, _ value: Int) { object.number += value }
@inline(never) func genericGet(_ object: WrappedCell<Int>) -> Int { object.value }

let wrapped = Wrapped()
let plain = Plain()
let cell = WrappedCell(1)
var sum = 0
for number in 0..<(CommandLine.arguments.count * 1_000) {
  wrappedSet(wrapped, number)
  plainSet(plain, number)
  wrappedAdd(wrapped, 1)
  plainAdd(plain, 1)
  sum += wrappedGet(wrapped) - plainGet(plain) + genericGet(cell)
}
print(sum)
