/// Where the handler of an observation runs, which also types the handler.
///
///     token = try store.observe(\.count, delivery: .mainActor) { store, change in … }
public struct KeyValueDelivery<Place>: Sendable {
  init() {}
}

extension KeyValueDelivery where Place == MainActor {
  /// On the main actor: before the setter returns if the change is made there, else later and in
  /// order.
  public static var mainActor: KeyValueDelivery { KeyValueDelivery() }
}
