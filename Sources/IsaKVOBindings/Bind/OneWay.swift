internal import IsaKVO
internal import IsaKeyValue

/// The pushes of one direction: the target's property follows the source's.
///
/// Kept by the registration at the source alone, and so until the binding ends.
final class OneWay<Target: KeyValueObservable, Source: KeyValueObservable, Input, Output> {
  private let binding: Binding
  private let property: PropertyEnd<Target, Output>
  private let model: PropertyEnd<Source, Input>
  /// Makes the target's value; nil where the source's is it.
  private let convert: ((Input) throws -> Output)?

  init(
    _ binding: Binding, _ property: PropertyEnd<Target, Output>,
    _ model: PropertyEnd<Source, Input>,
    _ convert: ((Input) throws -> Output)?
  ) {
    self.binding = binding
    self.property = property
    self.model = model
    self.convert = convert
  }

  // As `SourceEnd`, at no cost of an object.
  deinit { binding.endBySource() }

  /// Pushes the value at an address.
  func receive(_ value: UnsafeRawPointer) {
    binding.push(to: binding.target) { target, thisPush in
      let target = unsafeDowncast(target, to: Target.self)
      push(value, to: target)
      if thisPush.hasMetAnother { catchUp(with: value.assumingMemoryBound(to: Input.self), target) }
    }
  }

  /// Pushes the first value, which `input` was made to, to a target at hand.
  func start(_ output: Output, of input: Input, to target: Target) {
    binding.push(to: binding.target) { _, thisPush in
      property.set(output, of: target)
      if thisPush.hasMetAnother { withUnsafePointer(to: input) { catchUp(with: $0, target) } }
    }
  }

  private func push(_ value: UnsafeRawPointer, to target: Target) {
    guard let convert else { return write(at: value, to: target) }
    let input = value.assumingMemoryBound(to: Input.self).pointee
    do { try withUnsafePointer(to: convert(input)) { write(at: $0, to: target) } } catch {
      binding.report(error, input)
    }
  }

  private func write(at value: UnsafeRawPointer, to target: Target) {
    if binding.isInRing, property.has(value, in: target) { return }
    property.write(at: value, to: target)
  }

  /// Pushes what the source was set to while a value was pushed, if it is another.
  private func catchUp(with pushed: UnsafePointer<Input>, _ target: Target) {
    guard let source = binding.source.object else { return }
    let now = model.value(of: unsafeDowncast(source, to: Source.self))
    if let isSame = equality(of: Input.self), isSame(now, pushed.pointee) { return }
    withUnsafePointer(to: now) { push($0, to: target) }
  }
}
