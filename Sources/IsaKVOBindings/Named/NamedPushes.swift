internal import IsaKVO
internal import IsaKeyValue

/// The pushes of a binding by name, and the edits of the target's user.
///
/// Kept by the registration at the source, and so until the binding ends. Edits are made where the
/// target is used.
final class NamedPushes {
  let binding: Binding
  let name: BindingName
  let options: BindingOptions
  let key: String
  private let path: String
  private let transformer: Transformer<Any?, Any?>?
  /// Whether a value, unless it is nil or a marker, is set as it is.
  private let isPlain: Bool
  /// The value that the source had last, which names that belong together need of one another; of a
  /// value that is shown as it is, it need not be known.
  private var latest: Any?
  private var edit: Edit?
  /// Whether an equal value is to be shown again.
  private var isOutdated = false
  /// Has the source's value shown where the binding's delivery leads, if it has one.
  var deliver: (() -> Void)?

  /// A value that the user has entered. An object, so that each change need only look whether there is
  /// one.
  private final class Edit {
    var value: Any?
    /// Whether it is being put into the model.
    var isCommitting = false
    /// The object whose property it is.
    let owner: ObjectIdentifier?
    let registries: [RegistryReference]

    init(
      _ value: Any?, of owner: ObjectIdentifier?, _ registries: [RegistryReference]
    ) {
      self.value = value
      self.owner = owner
      self.registries = registries
    }
  }

  init(
    _ binding: Binding, _ name: BindingName, key: String, path: String, _ options: BindingOptions
  ) throws(KeyValueError) {
    (self.binding, self.name, self.key, self.path) = (binding, name, key, path)
    self.options = options
    transformer = try options.knownTransformer()
    isPlain =
      options.isPlain && BindingGroup.of(name) == nil
      && !(binding.target.object is any BindingTarget)
  }

  private var source: KVObject? { binding.source.object }

  // MARK: Source to target

  /// Registers at the source what shows each change, here or where it is delivered.
  func register(
    on source: KVObject, _ delivered: DeliveredPushes?
  ) throws(KeyValueError) -> any RegistrationControl {
    if let resend = delivered?.resend { deliver = { withUnsafePointer(to: ()) { resend($0) } } }
    let send = delivered?.send, sourceEnd = SourceEnd(of: binding)
    return try source.observe(named: path, readsValue: send == nil) { value in
      withExtendedLifetime(sourceEnd) {
        guard let send else { return self.receive(value) }
        withUnsafePointer(to: ()) { send($0) }
      }
    }
  }

  /// Shows what the source was set to; what it has, if that is not told.
  func receive(_ value: NamedValue) {
    if case .set(let value) = value { push(value) } else { receivePresent() }
  }

  /// Shows a value of the source's.
  private func push(_ value: Any?) {
    binding.push(to: binding.target) { target, thisPush in
      if edit != nil, keepsEdit(with: value) { return }
      do { try show(value, in: target, thisPush) } catch { binding.report(error, value) }
    }
  }

  /// Shows the value that the source has now: also of a change that was delivered, since only values
  /// that are known to be `Sendable` may be.
  func receivePresent() {
    guard let source else { return }
    do { push(try source.value(forKeyPath: path)) } catch { binding.report(error, nil) }
  }

  /// Shows the first value in a target at hand.
  func start(_ value: Any?, in target: KVObject) throws(KeyValueError) {
    var failure: (any Error)?
    binding.push(to: binding.target) { _, thisPush in
      do { try show(value, in: target, thisPush, isFirst: true) } catch { failure = error }
    }
    if let failure { throw bindingError(failure, value, binding.end) }
  }

  /// Shows a value, and then what the source was set to meanwhile, if it is another.
  private func show(
    _ value: Any?, in target: KVObject, _ thisPush: PushFrame.Push, isFirst: Bool = false
  ) throws {
    try show(value, in: target, isFirst: isFirst)
    guard thisPush.hasMetAnother, let source else { return }
    let now = try source.value(forKeyPath: path)
    if !areEqual(now, value) { try show(now, in: target) }
  }

  private func show(_ value: Any?, in target: KVObject, isFirst: Bool = false) throws {
    if isPlain, let value, !isMarkerOrNull(value) {
      if binding.isInRing, areEqual(try target.value(forKey: key), value) { return }
      return try target.setValue(value, forKey: key)
    }
    let old = latest
    latest = value
    if options.suppressesEqual, !isFirst, !isOutdated, areEqual(old, value) { return }
    isOutdated = false
    try set(try shown(value, target), in: target)
    try setConditions(of: target, value as? BindingMarker)
  }

  private func set(_ shown: Shown<Any?>, in target: KVObject) throws(KeyValueError) {
    if let target = target as? any BindingTarget { return try target.show(shown, for: name.base) }
    try target.setValue(shown.plain, forKey: key)
  }

  /// The value as it is shown.
  private func shown(_ value: Any?, _ target: KVObject) throws -> Shown<Any?> {
    if let grouped = grouped(in: target) { return .value(grouped) }
    if let marker = value as? BindingMarker {
      if marker == .notApplicable, options.raisesForNotApplicableKeys {
        throw KeyValueError(
          .undefinedKey, key: path, reason: "an object that is selected has no key “\(path)”",
          cure: "give a placeholder, and leave out raisesForNotApplicableKeys")
      }
      if let given = options.placeholder(for: marker) { return .placeholder(given, marker) }
      if let transformer, transformer.takesMarkers {
        return .placeholder(try transformer(marker), marker)
      }
      return .placeholder(DefaultPlaceholders.find(marker, name, target, key), marker)
    }
    let given = standsForNil(value as Any) ? nil : value
    let value = try transformed(given)
    if let value { return .value(value) }
    let placeholder = options.nullPlaceholder ?? DefaultPlaceholders.find(nil, name, target, key)
    return placeholder.map { .placeholder($0, nil) } ?? .value(nil)
  }

  private func transformed(_ value: Any?) throws -> Any? {
    guard let transformer else { return value }
    return try converted(value) { try transformer($0) }
  }

  /// The value that the source is to have for a shown value.
  private func reversed(_ value: Any?) throws -> Any? {
    guard let transformer else { return value }
    return try converted(value) { try transformer.reversed($0) }
  }

  /// Converts a value, or each element of a list as the options say.
  private func converted(_ value: Any?, _ convert: (Any?) throws -> Any?) rethrows -> Any? {
    guard options.transformsElements, let elements = value as? [Any?] else {
      return try convert(value)
    }
    return try elements.map(convert)
  }

  private func isMarkerOrNull(_ value: Any) -> Bool {
    !isCommon(value) && (value is BindingMarker || standsForNil(value))
  }

  // MARK: Names that belong together

  /// The value of all names that this one belongs to; nil for one by itself.
  private func grouped(in target: KVObject) -> Any? {
    guard let group = BindingGroup.of(name)?.group else { return nil }
    let parts = peers(in: target) + [self]
    switch group {
    case .all: return parts.allSatisfy { $0.isTrue }
    case .any: return parts.contains { $0.isTrue }
    case .pattern: return DisplayPattern.text(of: parts)
    }
  }

  /// Has the target show what the names that this one belonged to yield without it.
  func leaveGroup(of target: KVObject) {
    guard let rest = peers(in: target).first else { return }
    rest.isOutdated = true
    if let deliver = rest.deliver { deliver() } else { rest.receivePresent() }
  }

  /// The others of the names that this one belongs to.
  private func peers(in target: KVObject) -> [NamedPushes] {
    guard let base = BindingGroup.of(name)?.base else { return [] }
    return target.bindings.compactMap { $0.withState { $0.named } }
      .filter { $0 !== self && BindingGroup.of($0.name)?.base == base }
  }

  private var isTrue: Bool {
    let value = (try? transformed(latest is BindingMarker ? nil : latest)) ?? nil
    return IsaKVO.converted(value, to: Bool.self) ?? false
  }

  /// The text of a part of a display pattern.
  var text: String {
    let value =
      latest is BindingMarker ? options.placeholder(for: latest as? BindingMarker) : latest
    guard let value = (try? transformed(value)) ?? nil, !standsForNil(value) else { return "" }
    return "\(value)"
  }

  /// Sets what depends on whether there is something to edit.
  private func setConditions(of target: KVObject, _ marker: BindingMarker?) throws(KeyValueError) {
    let isEditable =
      switch marker {
      case nil: true
      case .multipleValues: options.allowsEditingMultipleValues
      case .noSelection, .notApplicable: false
      }
    if options.conditionallySetsEnabled {
      try target.setValue(isEditable, forKey: target.bindingKey(for: .enabled))
    }
    if options.conditionallySetsEditable {
      try target.setValue(isEditable, forKey: target.bindingKey(for: .editable))
    }
    if options.conditionallySetsHidden {
      try target.setValue(
        marker == .noSelection || marker == .notApplicable,
        forKey: target.bindingKey(for: .hidden))
    }
  }

  // MARK: Edits

  /// Whether the user is editing.
  var isEditing: Bool { edit != nil }

  /// The value that the user has entered last; nil unless the user is editing.
  var entered: Any? { edit.flatMap(\.value) }

  /// Takes a value that the user has entered.
  func userDidEdit(_ value: Any?) {
    if edit == nil {
      edit = Edit(value, of: owner(), source?.registries(along: path) ?? [])
      for one in edit!.registries { one.registry?.objectDidBeginEditing(self) }
    }
    edit?.value = value
    do {
      if options.continuouslyUpdatesValue {
        try write(value, validates: options.validatesImmediately)
      } else if options.validatesImmediately {
        _ = try judged(value)
      }
    } catch {
      binding.report(error, value)
    }
  }

  /// Shows what the source has, unless what is edited is still the same object's.
  private func keepsEdit(with value: Any?) -> Bool {
    guard let edit else { return false }
    if edit.owner == owner() { return true }
    endEdit()
    return false
  }

  private func endEdit() {
    let registries = edit?.registries ?? []
    edit = nil
    for one in registries { one.registry?.objectDidEndEditing(self) }
  }

  /// Drops what is being edited, since the binding has ended.
  func end() { endEdit() }

  /// A value as the source takes it, if its validator lets it pass; behind nil there is none.
  private func judged(_ value: Any?) throws -> Any? {
    var value = try reversed(value)
    if let source, try source.owner(of: path) != nil {
      try source.validateValue(&value, forKeyPath: path)
    }
    return value
  }

  private func write(_ value: Any?, validates: Bool) throws {
    guard let source, transformer?.isReversible ?? true else { return }
    let given = try reversed(value)
    if !options.allowsEditingMultipleValues,
      try source.value(forKeyPath: path) as? BindingMarker == .multipleValues
    {
      throw KeyValueError(
        .notBindable, key: path, reason: "several values of “\(path)” cannot be edited together",
        cure: "set allowsEditingMultipleValues, or select one object")
    }
    let input = validates ? try judged(value) : given
    var failure: (any Error)?
    binding.push(to: binding.source) { source, _ in
      do {
        try source.setValue(input, forKeyPath: path)
        // The model may have stored another value, which is shown.
        let now = try source.value(forKeyPath: path)
        if !areEqual(now, given), let target = binding.target.object { try show(now, in: target) }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// The object whose property is edited, if there is one.
  private func owner() -> ObjectIdentifier? {
    ((try? source?.owner(of: path)) as? KVObject).map { ObjectIdentifier($0) }
  }
}

extension NamedPushes: Editor {
  /// Puts what is edited into the model, if its validator lets it pass.
  func commitEditing() throws(KeyValueError) {
    guard let edit, !edit.isCommitting else { return }
    edit.isCommitting = true
    defer { edit.isCommitting = false }
    do { try write(edit.value, validates: true) } catch {
      throw bindingError(error, edit.value, binding.end)
    }
    endEdit()
  }

  /// Drops what is edited, and shows what the source has.
  func discardEditing() {
    guard edit != nil else { return }
    endEdit()
    guard let source, let target = binding.target.object else { return }
    do {
      let value = try source.value(forKeyPath: path)
      try start(value, in: target)
    } catch {
      binding.report(error, nil)
    }
  }
}

// MARK: - The content of a controller

extension NamedPushes {
  /// Sets the source to the content of a controller, unless `check` says why not. An error is the
  /// binding's.
  func put(_ content: Any?, _ check: (KVObject) throws -> Void = { _ in }) {
    guard let source, transformer?.isReversible ?? true else { return }
    do {
      try check(source)
      let value = try options.validatesImmediately ? judged(content) : reversed(content)
      try source.setValue(value, forKeyPath: path)
    } catch {
      binding.report(error, content)
    }
  }

  /// Whether there is an object that the content is bound to, and what it has for the controller.
  var hasSource: Bool { source != nil }
  var content: Any? {
    source.flatMap { source in try? transformed(source.value(forKeyPath: path)) }
  }

  /// The source's list as the model of a controller; nil once the source has gone. A list that a
  /// transformer makes is set as a whole.
  func list<Element: KVObject>(of type: Element.Type) -> ContentSource<Element>? {
    guard let source else { return nil }
    let list = NamedList<Element>(keyPath: path, unites: false)
    if transformer == nil, !options.handlesContentAsCompoundValue { return list.source(in: source) }
    let whole = ModelValue(
      read: { [weak source] in
        source.map { list.elements(of: $0) { try? self.transformed($0) } }
      }, set: { self.put($0) { source in try list.check(source) } })
    return ContentSource(whole, isMadeAnew: transformer != nil)
  }
}

extension BindingName {
  /// The name without the number of a further one.
  fileprivate var base: BindingName { BindingGroup.of(self)?.base ?? self }
}

extension BindingOptions {
  /// The transformer.
  fileprivate func knownTransformer() throws(KeyValueError) -> Transformer<Any?, Any?>? {
    guard let name = transformerName else { return transformer }
    if let known = Transformer<Any?, Any?>.registered(as: name) { return known }
    let names = Transformer<Any?, Any?>.registeredNames.map(\.rawValue).joined(separator: ", ")
    throw KeyValueError(
      .transformerNotFound, key: name.rawValue,
      reason: "no transformer is registered as “\(name.rawValue)”",
      cure: "register it before anything is bound by it; registered are \(names)")
  }
}
