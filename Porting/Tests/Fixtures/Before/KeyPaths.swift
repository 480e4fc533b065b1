import Foundation

final class City: NSObject {
  @objc dynamic var name = "Ulm"
  @objc(inhabitants) dynamic var people = 1
}

final class Traveller: NSObject {
  final class Bag: NSObject {
    @objc dynamic var weight = 3.5
  }

  @objc dynamic var city: City! = City()
  @objc dynamic var bag: Bag? = Bag()
  @objc dynamic var visited: [City] = []

  var observed: [String] {
    [#keyPath(city.name), #keyPath(Traveller.bag.weight), #keyPath(visited)]
  }
}

func showKeyPaths() {
  let traveller = Traveller()
  traveller.visited = [City(), City()]
  for keyPath in traveller.observed { print(keyPath) }
  print(#keyPath(Traveller.Bag.weight), #keyPath(City.people), "not a #keyPath(City.name)")
  print("in a string: \(#keyPath(Traveller.city.people))")
  traveller.setValue("Rom", forKeyPath: #keyPath(Traveller.city.name))
  print(traveller.value(forKeyPath: #keyPath(Traveller.city.name)) as! String)
  traveller.setValue(9, forKeyPath: #keyPath(Traveller.city.people))
  print(traveller.city.people)
  let token = traveller.city.observe(\.people, options: [.old, .new]) { _, change in
    print("people", change.oldValue!, change.newValue!)
  }
  traveller.city.people = 10
  print(traveller.value(forKeyPath: #keyPath(Traveller.visited) + ".@count") as! Int)
  print((\Traveller.city.name)._kvcKeyPathString ?? "no name")
  token.invalidate()
}
