import BenchModels
import IsaKVO
import IsaKVOFoundation
import Paired

/// An object that is told by the message, as one written for Apple's names is.
final class ObjectObserver: Work {
  private let person = Person()
  private let observer = Watcher()
  private var next = 1

  init() {
    person.addObserver(observer, forKeyPath: "age", options: [.old, .new], context: nil)
  }

  deinit { person.removeObserver(observer, forKeyPath: "age") }

  func run(_ count: Int) {
    for age in next..<next + count { setAge(person, age) }
    next += count
  }

  func check(_ count: Int) -> Bool { observer.heard.hasCounted(to: count) }
}

private final class Watcher: KVObject {
  let heard = Heard()

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    guard keyPath == "age", let change else {
      return super.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
    }
    heard.note(old: change[.oldKey] as? Int ?? 0, new: change[.newKey] as? Int ?? 0)
  }
}
