public import IsaKVO
internal import IsaKeyValue

extension KVObject {
  /// Has what a name stands for show the value at a key path of another object, markers and nil as the
  /// options say.
  ///
  ///     try field.bind(.value, to: people, withKeyPath: "selection.name", options: .with {
  ///       $0.noSelectionPlaceholder = "nobody"
  ///     })
  ///
  /// The value is shown at once, and then whenever it changes, by the thread that changes it. Edits of
  /// a view's user are written back by ``Binding/userDidEdit(_:)`` and ``Binding/userDidEndEditing()``;
  /// setting the property is no edit.
  ///
  /// - Parameters:
  ///   - name: One of ``exposedBindings``. A binding that it has ends.
  ///   - source: The object to bind to; it is not kept, and may be this one.
  ///   - keyPath: Its first key must be known; nil behind that is shown as nil. It may lead through a
  ///     list, with or without an operator, as in `"arrangedObjects.@sum.price"`: the value is shown
  ///     anew when the list changes, or an element does. The elements are kept meanwhile, and watched
  ///     as by ``ArrangingController/automaticallyRearranges``.
  ///   - options: How values are shown, and edits written back.
  ///   - file: The call's file, for the event log.
  ///   - line: The call's line.
  /// - Returns: The binding, which this object owns: it may be thrown away.
  /// - Throws: `KeyValueError.Code.notBindable` for a name that is not exposed, or excluded by a
  ///   bound name, and for a setting with dots in its name;
  ///   `KeyValueError.Code.transformerNotFound`; `KeyValueError.Code.notObservable` or
  ///   `KeyValueError.Code.undefinedKey` for a key that there is not; the error of showing the
  ///   first value. Nothing is bound then, and what was bound before stays.
  /// - Note: Source `bind:toObject:withKeyPath:options:`, NSKeyValueBinding.h.
  @_disfavoredOverload @discardableResult
  public final func bind(
    _ name: BindingName, to source: KVObject, withKeyPath keyPath: String,
    options: BindingOptions = BindingOptions(), file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try bindNamed(name, source, keyPath, options, nil, file, line)
  }

  /// Makes a binding by name.
  ///
  /// - Parameters:
  ///   - delivery: Makes the later pushes; nil if each is made where the change is.
  ///   - file: The file of the call that binds, for the event log.
  ///   - line: Its line.
  final func bindNamed(
    _ name: BindingName, _ source: KVObject, _ keyPath: String, _ options: BindingOptions,
    _ delivery: PushDelivery?, _ file: StaticString, _ line: UInt
  ) throws(KeyValueError) -> Binding {
    try checkBindable(name)
    let binding = Binding(.keys(name.rawValue), of: self, to: source, .keys(keyPath))
    let key = bindingKey(for: BindingGroup.of(name)?.base ?? name)
    let pushing = try NamedPushes(binding, name, key: key, path: keyPath, options)
    binding.withState { $0.named = pushing }
    try binding.begin(delivery, file, line, { _, _ in pushing.receivePresent() }) {
      delivered throws(KeyValueError) in
      try pushing.register(on: source, delivered)
    } show: { () throws(KeyValueError) in
      let first = try source.value(forKeyPath: keyPath)
      if first == nil { try source.checkSettings(on: keyPath) }
      try pushing.start(first, in: self)
      try install(binding)
      (self as? Controller)?.updatePlace()
    }
    return binding
  }

  private func checkBindable(_ name: BindingName) throws(KeyValueError) {
    guard exposes(name) else {
      let names = exposedBindings.map(\.rawValue).joined(separator: ", ")
      throw KeyValueError(
        .notBindable, key: name.rawValue,
        reason: "\(type(of: self)) has nothing to bind that is called “\(name.rawValue)”",
        cure: names.isEmpty ? nil : "it has \(names)")
    }
    guard let type = type(of: self) as? any BindingTarget.Type,
      type.exclusiveBindingNames.contains(name)
    else { return }
    for other in type.exclusiveBindingNames.subtracting([name]) where infoForBinding(other) != nil {
      throw KeyValueError(
        .notBindable, key: name.rawValue,
        reason: "“\(name.rawValue)” cannot be bound while “\(other.rawValue)” is",
        cure: "unbind “\(other.rawValue)” first")
    }
  }

  /// Ends the binding of a name, if it has one; what it has shown stays.
  ///
  /// - Note: Source `unbind:`, NSKeyValueBinding.h.
  public final func unbind(_ name: BindingName) { binding(named: name)?.unbind() }

  /// The other end of a name's binding; nil if it has none.
  ///
  /// - Note: Source `infoForBinding:`, NSKeyValueBinding.h.
  @_disfavoredOverload
  public final func infoForBinding(_ name: BindingName) -> BindingInfo? {
    binding(named: name)?.info
  }

  /// The binding of a name, or of the key of that name; nil if it has none.
  public final func binding(named name: BindingName) -> Binding? {
    bindings.first { $0.end == .keys(name.rawValue) }
  }
}

extension Binding {
  /// The object and key path that it is bound to.
  public var info: BindingInfo {
    BindingInfo(
      observedObject: source.object, observedKeyPath: "\(sourcePath)",
      options: withState { $0.named }?.options ?? BindingOptions())
  }

  /// Takes a value that the target's user has entered: of a binding by name. It is written back now, or
  /// when editing ends, as the options say; a value that is refused is told to ``onError``.
  ///
  /// The first one begins an edit, which the controllers that it is bound to hear of.
  public func userDidEdit(_ value: Any?) { withState { $0.named }?.userDidEdit(value) }

  /// Ends an edit of the target's user: its value is judged and written back.
  ///
  /// - Returns: False if it is refused, of which ``onError`` is told. The edit goes on then.
  @discardableResult
  public func userDidEndEditing() -> Bool {
    guard let named = withState({ $0.named }) else { return true }
    do {
      try named.commitEditing()
      return true
    } catch {
      report(error, named.entered)
      return false
    }
  }

  /// Drops what the target's user has entered, and shows what the source has.
  public func discardEditing() { withState { $0.named }?.discardEditing() }

  /// Whether the target's user has entered something that is not committed.
  public var isEditing: Bool { withState { $0.named }?.isEditing ?? false }
}
