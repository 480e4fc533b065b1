import Foundation
import IsaKVO
import IsaKVOFoundation

final class City: KVObject {
  @Dynamic var name = "Ulm"
  @Dynamic var people = 1

  override class var keys: [KeyDeclaration] {
    [.key("inhabitants", \City.people, paths: ["people"], notifiesAutomatically: false)]
  }
}

final class Traveller: KVObject {
  final class Bag: KVObject {
    @Dynamic var weight = 3.5
  }

  @Dynamic var city: City! = City()
  @Dynamic var bag: Bag? = Bag()
  @Dynamic var visited: [City] = []

  var observed: [String] {
    ["city.name", "bag.weight", "visited"]
  }
}

func showKeyPaths() {
  let traveller = Traveller()
  traveller.visited = [City(), City()]
  for keyPath in traveller.observed { print(keyPath) }
  print("weight", "inhabitants", "not a #keyPath(City.name)")
  print("in a string: \("city.inhabitants")")
  traveller.setValue("Rom", forKeyPath: "city.name")
  print(traveller.value(forKeyPath: "city.name") as! String)
  traveller.setValue(9, forKeyPath: "city.inhabitants")
  print(traveller.city.people)
  let token = traveller.city.observe(\.people, options: [.old, .new]) { _, change in
    print("people", change.oldValue!, change.newValue!)
  }
  traveller.city.people = 10
  print(traveller.value(forKeyPath: "visited" + ".@count") as! Int)
  print(KVObject.keyPath(of: \Traveller.city.name) ?? "no name")
  token.invalidate()
}
