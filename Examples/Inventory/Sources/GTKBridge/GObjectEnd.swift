public import IsaKVO
public import IsaKVOBindings

/// A property of a GObject as one that can be observed and bound.
///
///     let name = GObjectEnd<String>(entry, "text", placeholder: "placeholder-text")
///     try name.bind(\.value, to: person, \.name)
///     try name.bind(.value, to: people, withKeyPath: "selection.name", options: .edited)
///
/// ``value`` is the property's: a change at either side is one at the other, on the main thread. A value
/// that the GObject makes another of, such as one beyond its limits, is told as the other. A change that
/// comes of the GObject is its user's edit for what is bound by name.
///
/// It keeps the GObject, and nobody keeps it but its user.
public final class GObjectEnd<Value: GValueConvertible>: KVObject, MainActorObject {
  /// The value of the GObject's property.
  @Dynamic public var value: Value { didSet { show() } }
  /// The GObject.
  public let object: GObjectRef
  private let property: String
  private let placeholder: String?
  private var connection: SignalConnection?

  /// Joins a property, which the GObject tells the changes of.
  ///
  /// - Parameters:
  ///   - property: Its name; one that the object does not have is a warning of GLib's.
  ///   - placeholder: Another property, which shows placeholders while this one has its empty value.
  public init(_ object: GObjectRef, _ property: String, placeholder: String? = nil) {
    self.object = object
    self.property = property
    self.placeholder = placeholder
    value = object[property]
    super.init()
    connection = object.connection("notify::\(property)") { [weak self] _ in self?.read() }
  }

  /// Declared, so that setting it by name runs its `didSet`.
  public override class var keys: [KeyDeclaration] { [.key("value", \GObjectEnd.value)] }

  /// Sets the GObject's property, unless it has the value: an entry's cursor would jump.
  private func show() {
    let now: Value = object[property]
    if now != value { object[property] = value }
    let next: Value = object[property]
    // It may have made another value of it, which it has not told while `value` was being set.
    if next != value { value = next }
  }

  /// Takes over a change of the GObject's.
  private func read() {
    let now: Value = object[property]
    if now == value { return }
    value = now
    guard let binding = binding(named: .value) else { return }
    binding.userDidEdit(now)
    // A text is edited letter by letter, until the focus leaves it.
    if Value.self != String.self { binding.userDidEndEditing() }
  }
}

extension GObjectEnd: BindingTarget {
  /// The value.
  public nonisolated class var bindingNames: [BindingName] { [.value] }

  /// Shows a value. A placeholder is text beside the empty value, where the GObject can show that.
  public nonisolated func show(
    _ shown: Shown<Any?>, for name: BindingName
  ) throws(KeyValueError) {
    nonisolated(unsafe) let shown = shown
    try endingOnMain { () throws(KeyValueError) in
      let isText = shown.isPlaceholder && placeholder != nil
      if let placeholder {
        object[placeholder] = shown.isPlaceholder ? shown.plain as? String ?? "" : ""
      }
      try setValue(isText ? Value.empty : shown.plain ?? Value.empty, forKey: "value")
    }
  }
}

extension BindingOptions {
  /// Each edit is judged and written to the model at once.
  public static var edited: BindingOptions {
    .with {
      $0.validatesImmediately = true
      $0.continuouslyUpdatesValue = true
    }
  }
}

/// Runs code of the main actor, on which GTK and what is bound to it are.
private func endingOnMain(
  _ body: @MainActor () throws(KeyValueError) -> Void
) throws(KeyValueError) {
  let result = MainActor.assumeIsolated { () -> Result<Void, KeyValueError> in
    do throws(KeyValueError) { return .success(try body()) } catch { return .failure(error) }
  }
  try result.get()
}
