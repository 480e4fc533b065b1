internal import IsaKVO
internal import IsaKeyValue

/// The pushes of one direction: the target's property follows the source's.
///
/// Kept by the registration at the source alone, and so until the binding ends.
class OneWay<Target: KeyValueObservable, Source: KeyValueObservable, Input, Output> {
  final let binding: Binding
  final let property: PropertyEnd<Target, Output>
  final let model: PropertyEnd<Source, Input>
  /// Makes the target's value; nil where the source's is it.
  private let convert: ((Input) throws -> Output)?
  /// Whether what the target makes of a value goes back to the source.
  private let isBothWays: Bool
  final let outputSize = MemoryLayout<Output>.size

  init(_ binding: Binding, _ plan: BindingPlan<Target, Source, Input, Output>) {
    self.binding = binding
    property = PropertyEnd(plan.end)
    model = PropertyEnd(plan.path)
    convert = plan.transformer?.forward
    isBothWays = plan.ways != nil
  }

  // As `SourceEnd`, at no cost of an object.
  deinit { binding.endBySource() }

  // MARK: Registering

  /// Registers at the source what pushes each value, or each that is another.
  ///
  /// - Parameter send: Sends values to where they are pushed; nil if that is here.
  final func register(
    on source: Source, _ isSame: ((Input, Input) -> Bool)?,
    telling send: ((UnsafeRawPointer) -> Void)?
  ) throws(KeyValueError) -> any RegistrationControl {
    let notify = send ?? receiver(), model = model
    guard let isSame else { return try model.observe(on: source, telling: notify) }
    return try source.register(model.keyPath, [.old, .new], suppressing: isSame) { source, _ in
      withUnsafePointer(to: model.value(of: source)) { notify($0) }
    }
  }

  /// The code that a registration at the source calls, and keeps.
  func receiver() -> (UnsafeRawPointer) -> Void { { self.receive($0) } }

  /// Registers at the target what pushes its values to the source.
  func registerBack(on target: Target) throws(KeyValueError) {}

  // MARK: Pushing

  /// Pushes the source's value at an address to the target.
  final func receive(_ value: UnsafeRawPointer, settles: Bool = true) {
    binding.push(to: binding.target, of: value) { target, thisPush in
      let target = unsafeDowncast(target, to: Target.self)
      let input = value.assumingMemoryBound(to: Input.self)
      show(input, in: target, thisPush)
      if settles, thisPush.hasMetAnother || thisPush.isTaken && !sourceHas(value) {
        settle(input, target, thisPush)
      }
    }
  }

  /// Whether the source has the value at an address: at the end of a transaction it may have another
  /// than is told.
  private func sourceHas(_ value: UnsafeRawPointer) -> Bool {
    guard let source = binding.source.object else { return true }
    return withUnsafeTemporaryAllocation(of: Input.self, capacity: 1) { room in
      let now = room.baseAddress!
      model.read(unsafeDowncast(source, to: Source.self), to: now)
      defer { now.deinitialize(count: 1) }
      return haveSameBytes(now, value, MemoryLayout<Input>.size)
    }
  }

  /// Pushes a value that was delivered.
  func receiveDelivered(_ value: UnsafeRawPointer, isLast: Bool) { receive(value) }

  /// Pushes the first value, which `input` was made to, to a target at hand.
  final func start(_ output: Output, of input: Input, to target: Target) {
    binding.push(to: binding.target) { _, thisPush in
      property.set(output, of: target)
      if isBothWays || thisPush.hasMetAnother {
        withUnsafePointer(to: input) { settle($0, target, thisPush) }
      }
    }
  }

  /// Shows in the target what is made of a value.
  final func show(
    _ input: UnsafePointer<Input>, in target: Target, _ thisPush: PushFrame.Push
  ) {
    guard let convert else { return show(at: input, in: target, thisPush) }
    do {
      try withUnsafePointer(to: convert(input.pointee)) { show(at: $0, in: target, thisPush) }
    } catch {
      binding.report(error, input.pointee)
    }
  }

  private func show(
    at output: UnsafeRawPointer, in target: Target, _ thisPush: PushFrame.Push
  ) {
    if binding.isInRing, property.has(output, in: target) { return }
    thisPush.setting(output, outputSize) { property.write(at: output, to: target) }
  }

  /// Pushes what the source was set to while a value was pushed, if it is another.
  func settle(_ pushed: UnsafePointer<Input>, _ target: Target, _ thisPush: PushFrame.Push) {
    guard let source = binding.source.object else { return }
    let now = model.value(of: unsafeDowncast(source, to: Source.self))
    if let isSame = equality(of: Input.self), isSame(now, pushed.pointee) { return }
    withUnsafePointer(to: now) { show($0, in: target, thisPush) }
  }

  /// What is made of a value of the source's.
  final func output(of input: Input) throws -> Output { try convert?(input) ?? same(input) }

  /// A value as one of the other end's type, which is the same type where nothing converts.
  final func same<From, To>(_ value: From) -> To {
    withUnsafePointer(to: value) { UnsafeRawPointer($0).load(as: To.self) }
  }
}
