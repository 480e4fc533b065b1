import IsaKVO

final class Plain {
  // error below: 'Dynamic' is unavailable: @Dynamic is for properties of classes that inherit from KVObject
  @Dynamic var age = 30
  // error below: 'LazyDynamic' is unavailable: @LazyDynamic is for properties of classes that inherit from KVObject
  @LazyDynamic var title = "x"
  // error below: 'LazyDynamic' is unavailable: @LazyDynamic is for properties of classes that inherit from KVObject
  @LazyDynamic(Plain.makeText) var text: String
  // error below: 'WeakDynamic' is unavailable: @WeakDynamic is for properties of classes that inherit from KVObject
  @WeakDynamic var friend: Plain?

  func makeText() -> String { "x" }
}

struct Value {
  // error below: 'Dynamic' is unavailable: @Dynamic is for properties of classes that inherit from KVObject
  @Dynamic var age = 30
}
