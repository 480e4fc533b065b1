import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct WeakReferenceTests {
  @Test("a weak reference gives the object while it lives, and nil afterwards")
  func zeroes() throws {
    try withClass { made in
      var object: RuntimeObject? = try made.allocate()
      let weak = try RuntimeWeakReference(to: #require(object))
      #expect(weak.object == object)
      #expect(object?.retainCount == 1)
      object = nil
      #expect(weak.object == nil)
    }
  }

  @Test("no weak reference can be made to an object that is being deallocated")
  func deallocating() throws {
    let failures = Recorder<KeyValueError>()
    try withClass { builder in
      try builder.method("dealloc", "v@:") { call -> Void in
        do throws(KeyValueError) { _ = try RuntimeWeakReference(to: call.receiver) } catch {
          failures.add(error)
        }
      }
    } body: { made in
      _ = try made.allocate()
      #expect(failures.all.map(\.code) == [.deallocating])
    }
  }
}
