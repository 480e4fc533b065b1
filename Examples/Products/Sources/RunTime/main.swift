// The product IsaRuntime: a class that exists since the program runs.
import IsaRuntime

let point = try RuntimeClassBuilder("Point")
  .property("x", .double)
  .property("y", .double)
  .register()
let corner = try point.allocate()
print(corner.isa.name)

let moved = try corner.observe("x", as: Double.self, options: [.old, .new]) { change in
  print(change.oldValue!, "→", change.newValue!)
}
// The class that the object claims to be of stays; its isa is another now.
print(corner.class.name, corner.isa.name)
try corner.send("setX:", 2.5)
try corner.setValue(4, forKey: "x")
moved.invalidate()
print(corner.isa.name)
