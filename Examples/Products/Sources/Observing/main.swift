// The product IsaKVO: classes in Swift, observed by key path.
import IsaKVO

final class Tank: KVObject {
  @Dynamic var litres = 10.0
  @Dynamic var capacity = 40.0
  var level: Double { litres / capacity }
}

let tank = Tank()
let level = tank.observe(\.level, options: [.old, .new]) { _, change in
  print("level:", change.oldValue!, "→", change.newValue!)
}
let full = tank.observe(\.litres, options: .new) { tank, change in
  if change.newValue! >= tank.capacity { print("full") }
}
tank.litres = 20
try tank.setValue(40, forKey: "litres")
KVObject.transaction {
  tank.litres = 5
  tank.capacity = 10
}
level.invalidate()
full.invalidate()
