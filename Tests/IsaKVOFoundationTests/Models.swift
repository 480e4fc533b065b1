import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport

enum Mood: Int { case calm, glad }

class Place: KVObject {
  @Dynamic var city = "Paris"
}

class Person: KVObject {
  @Dynamic var name = "Ann"
  @Dynamic var age = 1
  @Dynamic var small: Int32 = 1
  @Dynamic var ratio = 0.5
  @Dynamic var isGood = true
  @Dynamic var nick: String?
  @Dynamic var mood = Mood.calm
  @Dynamic var home = Place()
  @Dynamic var items = ["a", "b"]
  @Dynamic var tags: Set<String> = []
  var plain = 1
}

/// Notes what it is told, in the way of a class from an Apple system.
class Watcher: KVObject {
  let notes = Recorder<String>()
  var changes: [[NSKeyValueChangeKey: Any]] = []

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    notes.add(keyPath ?? "")
    changes.append(change ?? [:])
  }
}

/// A place in memory whose address is a context.
final class Context {
  let address = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)

  deinit { address.deallocate() }
}
