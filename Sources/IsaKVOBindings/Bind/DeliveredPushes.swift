// How a binding is told of its source's changes elsewhere than where they are made.
//
// Owns:      a route, on which each change is a delivery.
// Lives:     as the source's registration has it.
// Invariant: the first push is made before any delivery is read. Each change is one push; values that the
//            source was set to before it went are pushed before the binding ends.
internal import IsaKVO
internal import IsaKeyValue

/// Makes the pushes of a binding that are not its first. The function is given what makes one, of the
/// value at an address, and whether no other change is on its way.
typealias PushDelivery = (
  Binding, @escaping (_ value: UnsafeRawPointer, _ isLast: Bool) -> Void
) -> DeliveredPushes

/// The pushes of a binding that are delivered.
struct DeliveredPushes {
  /// Sends the value at an address. The binding ends once it is let go of, behind the last value.
  let send: (UnsafeRawPointer) -> Void
  /// The same, from where the source's registration is not what has it; nothing once the source has gone.
  let resend: (UnsafeRawPointer) -> Void
  /// Lets pushes be made.
  let begin: () -> Void
  /// The source's registration, as a registration behind whose end no push begins.
  let ending: (any RegistrationControl) -> any RegistrationControl

  /// - Parameter delivery: Leads to where `receive` may be called: that is for the signatures of
  ///   `follow` and `bind` to see to.
  fileprivate init<Place, Input: Sendable>(
    _ binding: Binding, _ delivery: KeyValueDelivery<Place>, _ type: Input.Type,
    _ receive: @escaping (UnsafeRawPointer, Bool) -> Void
  ) {
    let receive = Unchecked(receive)
    let route = DeliveryRoute<SourceDelivery<Input>>(to: delivery) { delivered, isLast in
      guard case .value(let input, let trail) = delivered else { return binding.endBySource() }
      PushFrame.resuming(trail[...]) {
        withUnsafePointer(to: input) { receive.value(UnsafeRawPointer($0), isLast) }
      }
    }
    let end = SourceEndDelivery(route)
    let post = { (route: DeliveryRoute<SourceDelivery<Input>>, value: UnsafeRawPointer) in
      if PushFrame.meets(binding, isBack: false, nil) { return }
      let input = value.assumingMemoryBound(to: Input.self).pointee
      route.send(.value(input, trail: PushFrame.trail))
    }
    send = { post(end.route, $0) }
    resend = { [weak end] in if let end { post(end.route, $0) } }
    begin = { route.begin() }
    ending = { route.ending($0) }
  }

  /// Delivers values to where a delivery leads.
  static func by<Place, Input: Sendable>(
    _ delivery: KeyValueDelivery<Place>, _ type: Input.Type
  ) -> PushDelivery {
    { DeliveredPushes($0, delivery, type, $1) }
  }
}

/// What a binding is delivered.
private enum SourceDelivery<Input: Sendable>: Sendable {
  /// A value that the source was set to, and the bindings whose pushes led to that.
  case value(Input, trail: [Binding])
  /// The source has gone.
  case end
}

/// Kept by a binding's registration at its source alone: sends the last delivery when the source goes.
private final class SourceEndDelivery<Input: Sendable> {
  let route: DeliveryRoute<SourceDelivery<Input>>

  init(_ route: DeliveryRoute<SourceDelivery<Input>>) { self.route = route }

  deinit { route.send(.end) }
}
