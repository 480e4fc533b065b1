// The fixtures of the cases as Swift classes.
import IsaKVO

class Item: KVObject, TypedObject {
  @Dynamic var name: String?
  @Dynamic var count = 0
  @Dynamic var flag = false

  var properties: [String: TypedProperty] {
    ["name": .at(\Item.name), "count": .at(\Item.count), "flag": .at(\Item.flag)]
  }
}

final class Manual: KVObject, TypedObject {
  @Dynamic var silent = 0
  @Dynamic var manual = 0
  @Dynamic var k = 0
  @Dynamic var auto = 0

  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key == "auto" }

  var properties: [String: TypedProperty] {
    [
      "silent": .at(\Manual.silent), "manual": .at(\Manual.manual), "k": .at(\Manual.k),
      "auto": .at(\Manual.auto),
    ]
  }
}

final class BadObservable: KVObject, TypedObject {
  @Dynamic var anInt = 0 { didSet { didChangeValue(forKey: "anInt") } }

  var properties: [String: TypedProperty] { ["anInt": .at(\BadObservable.anInt)] }
}

final class Node: KVObject, TypedObject {
  @Dynamic var name: String?
  @Dynamic var count = 0
  @Dynamic var child: Node?
  @Dynamic var dict: Any?
  var derived: String? { name.map { "!!!\($0)!!!" } }

  override class var keys: [KeyDeclaration] {
    [.key("derived", \Node.derived, affectedBy: [\Node.name])]
  }

  var properties: [String: TypedProperty] {
    [
      "name": .at(\Node.name), "count": .at(\Node.count), "child": .at(\Node.child),
      "dict": .at(\Node.dict), "derived": .at(\Node.derived),
    ]
  }
}

/// A class with an ordered key that is announced by hand.
protocol Listing: TypedObject {
  var list: [Any] { get set }
}

final class Lister: KVObject, Listing {
  @Dynamic var list: [Any] = []

  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "list" }

  var properties: [String: TypedProperty] { ["list": .at(\Lister.list)] }
}

/// A class with a number that has no wrapper.
final class Plain: KVObject, TypedObject {
  var count = 0

  override class var keys: [KeyDeclaration] { [.key("count", \Plain.count)] }
  var properties: [String: TypedProperty] { ["count": .named("count", \Plain.count)] }
}

/// A class with a value of any type.
final class AnyItems: KVObject, TypedObject {
  @Dynamic var items: Any = 0

  var properties: [String: TypedProperty] { ["items": .at(\AnyItems.items)] }
}

/// A class with a child that has no wrapper.
final class Loose: KVObject, TypedObject {
  var child: Node?

  override class var keys: [KeyDeclaration] { [.key("child", \Loose.child)] }
  var properties: [String: TypedProperty] { ["child": .named("child", \Loose.child)] }
}

/// A class with a child that it does not keep alive.
final class WeakHolder: KVObject, TypedObject {
  @WeakDynamic var child: Node?

  var properties: [String: TypedProperty] { ["child": .at(\WeakHolder.child)] }
}
