/// An object that a method's closure leads to and does not keep.
///
/// Sendable because a scenario runs on one thread at a time: it waits for any other that it starts.
struct Unowned<Object: AnyObject>: @unchecked Sendable {
  unowned let object: Object

  init(_ object: Object) { self.object = object }
}
