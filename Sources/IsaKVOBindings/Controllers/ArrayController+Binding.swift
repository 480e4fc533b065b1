public import IsaKVO
internal import IsaKeyValue

extension ArrayController {
  // MARK: By key path

  /// Keeps the content what a list of a model is. Adding and removing here changes the list, so that its
  /// other observers are told which elements came and went.
  ///
  ///     people.bindContent(to: team, \.members)
  ///
  /// A binding that there was ends, and so does this one with either end; the content stays then.
  ///
  /// - Parameters:
  ///   - model: Neither end retains the other.
  ///   - property: A wrapped property, or a property that announces its changes. Any other is a
  ///     misuse, and nothing is bound.
  ///   - isCompound: Whether the list is set as a whole, instead of being changed.
  ///   - file: The call's file, for the report of a misuse.
  ///   - line: The call's line.
  /// - Note: Source the binding `contentArray`, AppKit.
  public func bindContent<Model: KVObject>(
    to model: Model, _ property: ReferenceWritableKeyPath<Model, [Element]>,
    asCompoundValue isCompound: Bool = false, file: StaticString = #fileID, line: UInt = #line
  ) {
    bind(
      isCompound
        ? ContentSource(ModelValue(of: model, property)) : ContentSource(of: model, property),
      model.observe(
        property, options: .new,
        changeHandler: { [weak self] model, change in
          self?.follow(
            change.kind, change.places, change.newValue ?? [], now: model[keyPath: property])
        }, file: file, line: line))
  }

  /// Keeps the content what a set of a model has: in the order in which the objects came to be known, and
  /// by no order among objects that came together.
  ///
  /// As the form for a list.
  ///
  /// - Note: Source the binding `contentSet`, AppKit.
  public func bindContent<Model: KVObject>(
    to model: Model, _ property: ReferenceWritableKeyPath<Model, Set<Element>>,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    bind(
      ContentSource(
        insert: { [weak model] objects, _ in
          model?.mutableSetValue(for: property).formUnion(objects)
        },
        remove: { [weak model] objects, _ in
          model?.mutableSetValue(for: property).subtract(objects)
        }, set: { [weak model] in model?[keyPath: property] = Set($0) },
        read: { [weak self, weak model] in
          guard let self, let model else { return nil }
          return inKnownOrder(model[keyPath: property])
        }),
      model.observe(
        property,
        changeHandler: { [weak self] model, _ in
          guard let self else { return }
          follow(.setting, nil, [], now: inKnownOrder(model[keyPath: property]))
        }, file: file, line: line))
  }

  /// The elements of a set, the content's own first.
  private func inKnownOrder(_ set: Set<Element>) -> [Element] {
    var rest = set
    return content.filter { rest.remove($0) != nil } + rest
  }

  // MARK: By name

  /// Keeps the content what a list by name is, such as that of the object that another controller has
  /// selected.
  ///
  ///     try songs.bindContent(to: albums, withKeyPath: "selection.songs")
  ///
  /// The content is empty where there is no list: nil on the way, or a ``BindingMarker``. Adding and
  /// removing is a misuse then.
  ///
  /// - Parameters:
  ///   - model: Neither end retains the other.
  ///   - keyPath: Leads from the model to the list.
  ///   - unitesSelection: Whether the content is, of several objects that a controller has selected, the
  ///     objects of all their lists in order, each once. It is empty otherwise.
  ///   - file: The call's file, for the event log.
  ///   - line: The call's line.
  /// - Throws: `KeyValueError.Code.notObservable` for a key that nothing answers to; nothing is bound,
  ///   and the binding that there was stays.
  /// - Note: Source the binding `contentArray`, AppKit.
  public func bindContent(
    to model: KVObject, withKeyPath keyPath: String, unitingSelection unitesSelection: Bool = false,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) {
    let list = NamedList<Element>(keyPath: keyPath, unites: unitesSelection)
    let token = try model.observe(
      keyPath, as: Any?.self, options: .new,
      changeHandler: { [weak self] model, change in
        let new = (change.newValue ?? nil) as? [Any] ?? []
        self?.updatePlace()
        self?.follow(
          change.kind, change.places, new.compactMap { $0 as? Element },
          now: list.elements(of: model))
      }, file: file, line: line)
    bind(list.source(in: model), token)
    contentPath = ContentPath(model: model, keyPath: keyPath)
  }

  // MARK: Ending

  /// Ends the binding of the content, which stays as it is.
  public func unbindContent() {
    (source, contentToken, contentPath) = (nil, nil, nil)
    insertions = []
  }

  /// Binds, if the model can be observed.
  private func bind(_ source: ContentSource<Element>, _ token: KeyValueObservation) {
    if !token.isValid { return }
    unbindContent()
    (self.source, contentToken) = (source, token)
    takeModel()
  }
}
