// The product IsaKVOBindings: a view and a model that keep one another in step.
import IsaKVO
import IsaKVOBindings

final class Lamp: KVObject {
  @Dynamic var brightness = 30
  @Dynamic var name = "desk"
}

final class Panel: KVObject {
  @Dynamic var slider = 0.0
  @Dynamic var title = ""
}

let lamp = Lamp(), panel = Panel()
try panel.follow(\.title, of: lamp, \.name) { "The \($0) lamp" }
try panel.bind(
  \.slider, to: lamp, \.brightness,
  Transformer({ Double($0) / 100 }, back: { Int($0 * 100) }))
print(panel.title, panel.slider)
lamp.brightness = 75
print(panel.slider)
panel.slider = 0.5
print(lamp.brightness)
lamp.name = "bedside"
print(panel.title)
