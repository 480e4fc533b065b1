// The product IsaKVOMacros: one word, and values set by name go through the properties.
import IsaKVO
import IsaKVOMacros

@DeclaresKeys
class Volume: KVObject {
  @Dynamic var level = 5 { didSet { if level > 10 { level = 10 } } }
  var percent: Int {
    get { level * 10 }
    set { level = newValue / 10 }
  }
}

let volume = Volume()
let percent = try volume.observe("percent", as: Int.self, options: [.old, .new]) { _, change in
  print(change.oldValue!, "→", change.newValue!)
}
try volume.setValue(70, forKey: "percent")
percent.invalidate()
try volume.setValue(99, forKey: "level")
print(volume.level, try volume.value(forKey: "percent") as! Int)
