internal import CIsa

extension RuntimeChange {
  /// The change that an observer object is told of by `observeValueForKeyPath:…`.
  init?(observedIn call: RuntimeMethodCall) {
    guard call.arguments.count == 4, let address = call.arguments[2].address,
      let record = UnsafePointer<kvo_change>(bitPattern: address)?.pointee
    else { return nil }
    self.init(record, ending: .observer(call.receiver))
  }

  /// The change whose record, a `kvo_change`, a function or method in C was handed at an address; it
  /// has no observation to end.
  public init(unsafeAddress address: UInt) {
    self.init(UnsafePointer<kvo_change>(bitPattern: address)!.pointee, ending: nil)
  }

  private init(_ record: kvo_change, ending: RegistrationEnding?) {
    self.init(record, keyPath: String(cString: record.key_path), ending: ending)
  }
}
