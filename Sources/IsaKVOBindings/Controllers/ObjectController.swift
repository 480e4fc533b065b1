public import IsaKVO
internal import IsaKeyValue

/// One object between a model and what shows it.
///
///     let editor = ObjectController<Person>()
///     editor.content = ann
///     try editor.setValue("Anna", forKeyPath: "selection.name")
///
/// The object is selected as long as there is one. ``selection`` has its keys, and says `noSelection`
/// otherwise, so that views need not know whether there is one.
///
/// The keys for key-value coding are the names of the properties.
///
/// - Note: Source `NSObjectController`, AppKit.
open class ObjectController<Object: KVObject>: Controller, SelectionSource {
  /// Whether the user may add, change and remove; true at first.
  @Dynamic public var isEditable = true
  /// Makes the object that ``add()`` adds; nil if it cannot.
  public var makeObject: () -> Object? = { nil }

  private var object: Object?
  private lazy var proxy = SelectionProxy(of: self)
  /// The property of the model that the content is bound to; nil if it is not bound.
  private var source: ModelValue<Object?>?
  private var binding: KeyValueObservation?

  /// Declares the keys of the controller; a subclass adds to what `super` answers.
  open override class var keys: [KeyDeclaration] {
    super.keys + [
      .announced("content", \ObjectController.content),
      .announced("selectedObjects", \ObjectController.selectedObjects),
      .announced("selection", \ObjectController.selection),
      .announced("canAdd", \ObjectController.canAdd, affectedBy: [\ObjectController.isEditable]),
      .announced(
        "canRemove", \ObjectController.canRemove, affectedBy: [\ObjectController.isEditable]),
    ]
  }

  // MARK: Content and selection

  /// The object; nil if there is none. Setting the very same tells nothing.
  ///
  /// Editors commit before another object is set; a refusal is discarded.
  public var content: Object? {
    get { reading("content") { object } }
    set { setContent(newValue) }
  }

  /// The object as if it were selected, by its keys.
  public var selection: SelectionProxy { proxy }

  /// The object, if there is one.
  public var selectedObjects: [Object] {
    reading("selectedObjects") { object.map { [$0] } ?? [] }
  }

  final var proxiedObjects: [KVObject] { selectedObjects }

  final var awaitsContent: Bool { false }

  final var alwaysUsesMultipleValuesMarker: Bool { false }

  private func setContent(_ next: Object?) {
    if next === object { return }
    commitOrDiscardEditing()
    if next === object { return }
    let isOther = (next == nil) != (object == nil)
    willChangeValue(forKey: "content")
    willChangeValue(forKey: "selectedObjects")
    if isOther { willChangeValue(forKey: "canRemove") }
    proxy.willChangeSelection()
    object = next
    proxy.didChangeSelection()
    if isOther { didChangeValue(forKey: "canRemove") }
    didChangeValue(forKey: "selectedObjects")
    didChangeValue(forKey: "content")
  }

  // MARK: Adding and removing

  /// Whether ``add()`` may be called: the controller is editable, and there is an object whose property
  /// the content is bound to, if it is.
  public var canAdd: Bool { reading("canAdd") { isEditable && hasPlace } }

  override final func isPlace(ownerCount: Int) -> Bool { ownerCount > 0 }

  /// Whether ``remove()`` removes something: the controller is editable, and has an object.
  public var canRemove: Bool { reading("canRemove") { isEditable && object != nil } }

  /// Takes an object that ``makeObject`` makes as the content.
  open func add() { if let object = makeObject() { add(object) } }

  /// Takes an object as the content, and puts it into the model that the content is bound to.
  open func add(_ object: Object) { set(object) }

  /// Drops the content, here and in the model that it is bound to.
  open func remove() { set(nil) }

  /// Drops the content if it is this object; other objects are none of the controller's.
  open func remove(_ object: Object) {
    // In a transaction the model has what the content follows at its end.
    if object === (boundModel.map { $0.read() ?? nil } ?? self.object) { set(nil) }
  }

  private func set(_ object: Object?) {
    if let boundModel { boundModel.set(object) } else { content = object }
  }

  /// The property that the content is bound to, in either way; nil too once its object has gone.
  private var boundModel: ModelValue<Object?>? {
    if let source, binding?.isValid == true { return source }
    guard let named = binding(named: .contentObject)?.withState({ $0.named }), named.hasSource
    else { return nil }
    return ModelValue(read: { named.content as? Object }, set: { named.put($0) })
  }

  // MARK: Binding

  /// Keeps the content what a property of a model is, and ``add(_:)`` and ``remove()`` change that.
  ///
  ///     editor.bindContent(to: team, \.leader)
  ///
  /// - Parameters:
  ///   - model: Neither end retains the other. When the model goes, the content stays.
  ///   - property: The property of the model.
  ///   - file: The call's file, for the report of a misuse.
  ///   - line: The call's line.
  public func bindContent<Model: KVObject>(
    to model: Model, _ property: ReferenceWritableKeyPath<Model, Object?>,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    binding = model.observe(
      property, options: [.initial, .new],
      changeHandler: {
        [weak self] model, _ in self?.setContent(model[keyPath: property])
      }, file: file, line: line)
    source = ModelValue(of: model, property)
  }

  /// Ends the binding of the content, which stays as it is.
  public func unbindContent() { (binding, source) = (nil, nil) }
}
