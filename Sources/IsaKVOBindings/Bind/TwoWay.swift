internal import IsaKVO
internal import IsaKeyValue

/// The pushes of both directions.
///
/// Kept by the registrations at both ends, and so until the binding ends.
final class TwoWay<Target: KeyValueObservable, Source: KeyValueObservable, Input, Output>:
  OneWay<Target, Source, Input, Output>
{
  /// Makes the source's value of the target's; nil where they are the same.
  private let convertBack: ((Output) throws -> Input)?
  /// Whether values are written back: there may be no way.
  private let isReversible: Bool
  private let isSameOutput: ((Output, Output) -> Bool)?
  private let isSameInput: ((Input, Input) -> Bool)?
  private let ways: WritingBack<Source, Input>
  /// Whether the target's value is written to the source as it is, and nobody judges it.
  private let writesAsIs: Bool

  init(
    _ binding: Binding, _ plan: BindingPlan<Target, Source, Input, Output>,
    _ ways: WritingBack<Source, Input>
  ) {
    self.ways = ways
    convertBack = plan.transformer?.back
    isReversible = plan.transformer?.isReversible ?? true
    writesAsIs = plan.transformer == nil && ways.areNone
    isSameOutput = equality(of: Output.self)
    isSameInput = equality(of: Input.self)
    super.init(binding, plan)
  }

  // The registration at the target keeps this as well.
  override func receiver() -> (UnsafeRawPointer) -> Void {
    let end = SourceEnd(of: binding)
    return { value in withExtendedLifetime(end) { self.receive(value) } }
  }

  override func registerBack(on target: Target) throws(KeyValueError) {
    if isReversible { binding.add(try property.observe(on: target) { self.receiveBack($0) }) }
  }

  // MARK: Source to target

  /// The last one on its way shows what the source has now: the target may have been set, and with it
  /// the source, before this came. Those before it leave both ends to that one.
  override func receiveDelivered(_ value: UnsafeRawPointer, isLast: Bool) {
    guard isLast, let source = binding.source.object else {
      return receive(value, settles: false)
    }
    let now = model.value(of: unsafeDowncast(source, to: Source.self))
    withUnsafePointer(to: now) { receive(UnsafeRawPointer($0)) }
  }

  /// Has both ends agree once a value has been shown: the source takes over the value that the
  /// target has made, the target what the source was set to meanwhile. Each once, so that ends
  /// which do not agree on anything come to an end.
  override func settle(
    _ pushed: UnsafePointer<Input>, _ target: Target, _ thisPush: PushFrame.Push
  ) {
    guard let isSameInput, let isSameOutput, let source = binding.source.object else { return }
    let model = unsafeDowncast(source, to: Source.self)
    let now = self.model.value(of: model)
    if !isSameInput(now, pushed.pointee) {
      withUnsafePointer(to: now) { show($0, in: target, thisPush) }
    } else if !ways.isPlaceholder(now), let expected = try? output(of: now) {
      let shown = property.value(of: target)
      if isSameOutput(shown, expected) || isSelectionToCome(in: target) { return }
      _ = writeBack(shown, to: model, target)
    }
  }

  /// Whether the target has been given a selection that it shows once it has something to select.
  private func isSelectionToCome(in target: Target) -> Bool {
    guard Output.self == IndexList.self || Output.self == Int?.self else { return false }
    return (target as? any SelectionSource)?.awaitsContent == true
  }

  // MARK: Target to source

  /// Pushes the target's value to the source, and once more what the target was set to meanwhile.
  ///
  /// It is read anew: at the end of a transaction the target may have another than is told.
  private func receiveBack(_ told: UnsafeRawPointer) {
    binding.push(to: binding.source, isBack: true, of: told) { source, thisPush in
      guard let object = binding.target.object else { return }
      let source = unsafeDowncast(source, to: Source.self)
      let target = unsafeDowncast(object, to: Target.self)
      if writesAsIs {
        writeAsIs(of: target, to: source, thisPush)
      } else {
        writeConverted(of: target, to: source, thisPush)
      }
    }
  }

  /// Sets the source to the value that the target has.
  private func writeAsIs(of target: Target, to source: Source, _ thisPush: PushFrame.Push) {
    withUnsafeTemporaryAllocation(of: Output.self, capacity: 1) { room in
      let value = room.baseAddress!
      property.read(target, to: value)
      defer { value.deinitialize(count: 1) }
      if binding.isInRing, model.has(value, in: source) { return }
      thisPush.setting(value, outputSize) { model.write(at: value, to: source) }
      if !thisPush.isTaken { finish(value, source, target, thisPush) }
    }
  }

  // Not inlined: the usual way needs no types that are looked up for each value.
  @inline(never)
  private func finish(
    _ value: UnsafePointer<Output>, _ source: Source, _ target: Target, _ thisPush: PushFrame.Push
  ) {
    let expected = taken(value.pointee, as: same(value.pointee), source, target)
    finish(expected, source, target, thisPush)
  }

  @inline(never)
  private func writeConverted(of target: Target, to source: Source, _ thisPush: PushFrame.Push) {
    finish(writeBack(property.value(of: target), to: source, target), source, target, thisPush)
  }

  /// Pushes what the target was set to while its value was written, if it is another than it is to
  /// have then.
  private func finish(
    _ expected: Output?, _ source: Source, _ target: Target, _ thisPush: PushFrame.Push
  ) {
    guard thisPush.hasMetAnother, let expected, let isSameOutput else { return }
    let shown = property.value(of: target)
    if !isSameOutput(shown, expected) { _ = writeBack(shown, to: source, target) }
  }

  /// Sets the source, and shows in the target what became of the value there.
  ///
  /// - Returns: The value that the target is to have then; nil if the value was refused.
  private func writeBack(_ value: Output, to source: Source, _ target: Target) -> Output? {
    if !isReversible { return nil }
    do {
      let given = try convertBack?(value) ?? same(value)
      let input = try ways.validate?(source, given) ?? given
      if binding.isInRing, withUnsafePointer(to: input, { model.has($0, in: source) }) {
        return value
      }
      if let write = ways.write { write(source, input) } else { model.set(input, of: source) }
      return taken(value, as: given, source, target)
    } catch {
      binding.report(error, value)
      return nil
    }
  }

  /// Shows in the target what the source has made of a value that it was given.
  ///
  /// - Returns: The value that the target is to have then; nil if the source's cannot be shown.
  private func taken(
    _ value: Output, as given: Input, _ source: Source, _ target: Target
  ) -> Output? {
    guard let isSameInput else { return value }
    let now = model.value(of: source)
    if isSameInput(now, given) { return value }
    do {
      let became = try output(of: now)
      property.set(became, of: target)
      return became
    } catch {
      binding.report(error, value)
      return nil
    }
  }
}

extension PropertyEnd {
  /// Whether the property has the value at an address already.
  func has(_ value: UnsafeRawPointer, in root: Root) -> Bool {
    guard let isSame = equality(of: Value.self) else { return false }
    return isSame(self.value(of: root), value.assumingMemoryBound(to: Value.self).pointee)
  }
}

/// Whether two values of a type are the same: by `==`, of objects by identity; nil where nothing tells.
/// A value that does not equal itself, such as a number that is none, is the same as another such.
func equality<Value>(of type: Value.Type) -> ((Value, Value) -> Bool)? {
  if let type = type as? any Equatable.Type { return equality(type, as: Value.self) }
  if type is AnyClass {
    return { ($0 as AnyObject) === ($1 as AnyObject) }
  }
  return nil
}

private func equality<Known: Equatable, Value>(
  _ known: Known.Type, as type: Value.Type
) -> (Value, Value) -> Bool {
  { first, second in
    withUnsafePointer(to: first) { first in
      withUnsafePointer(to: second) { second in
        let first = UnsafeRawPointer(first).load(as: Known.self)
        let second = UnsafeRawPointer(second).load(as: Known.self)
        return first == second || first != first && second != second
      }
    }
  }
}
