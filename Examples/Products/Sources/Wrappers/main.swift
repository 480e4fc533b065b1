// The product IsaKVOWrappers: an observer that owns all its observations in one controller.
import IsaKVO
import IsaKVOWrappers

final class Clock: KVObject {
  @Dynamic var hour = 9
  @Dynamic var minute = 0
}

final class Face {
  let clock = Clock()
  private lazy var controller = ObservationController(observer: self)

  func follow() {
    controller.observe(clock, anyOf: [\Clock.hour, \Clock.minute]) { face, clock, _ in
      face.draw(clock)
    }
  }

  func draw(_ clock: Clock) { print(clock.hour, clock.minute) }
}

let face = Face()
face.follow()
face.clock.minute = 30
face.clock.hour = 10
