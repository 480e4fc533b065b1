// A property wrapper of the program's own that has the reactive library's name, in a class that is
// observed.
import IsaKVO
import IsaKVOFoundation

/// A value that counts its changes.
@propertyWrapper
struct Published<Value> {
  var wrappedValue: Value { didSet { projectedValue += 1 } }
  private(set) var projectedValue = 0

  init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

final class Draft: KVObject {
  @Published var text = "" { didSet { length = text.count } }
  @Dynamic var length = 0
}
