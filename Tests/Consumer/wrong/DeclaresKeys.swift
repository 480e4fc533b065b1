// The macro where it cannot write the keys of a class.
import IsaKVO
import IsaKVOMacros

// error below: @DeclaresKeys is for classes that inherit from KVObject
@DeclaresKeys
struct Point {
  var x = 1
}

@DeclaresKeys
// error below: @DeclaresKeys is for classes that inherit from KVObject; write: class Plain: KVObject
class Plain {
  var x = 1
}

class Late: KVObject {
  @Dynamic var age = 1
}

// error below: @DeclaresKeys stands before the class itself: an extension cannot override `keys`
@DeclaresKeys
extension Late {
  var next: Int { age + 1 }
}

@DeclaresKeys
class Declaring: KVObject {
  @Dynamic var age = 1

  // error below: @DeclaresKeys writes `keys` itself; name these `moreKeys`, and they are added
  override class var keys: [KeyDeclaration] { [.key("age", \Declaring.age)] }
}

// An extension's macro is expanded where somebody asks for its members.
let keys = Late.keys
