import IsaKVO

final class Plain {
  @Dynamic var age = 30  // error: @Dynamic is for properties of classes that inherit from KVObject
  @LazyDynamic var title = "x"  // error: @LazyDynamic is for properties of classes that inherit
  @WeakDynamic var friend: Plain?  // error: @WeakDynamic is for properties of classes that inherit
}

struct Value {
  @Dynamic var age = 30  // error: @Dynamic is for properties of classes that inherit from KVObject
}
