#if !canImport(ObjectiveC)
  internal import Foundation
  public import IsaKVO
  public import IsaKVOBindings
  internal import IsaKeyValue

  // Calls by AppKit's names. None of them throws: a failure is a misuse.

  extension KVObject {
    /// Has what a name stands for show the value at a key path of another object, as the options say.
    ///
    ///     field.bind(.value, to: people, withKeyPath: "selection.name", options: [
    ///       .noSelectionPlaceholder: "nobody", .validatesImmediately: true,
    ///     ])
    ///
    /// A name, key or transformer that there is not, an option of another type, and a first value that
    /// cannot be shown are a misuse. Nothing is bound then, and a binding that there was stays.
    ///
    /// The source is not kept alive, as by AppKit it is.
    ///
    /// - Returns: The binding, which this object owns; nil after a misuse.
    /// - Note: Source `bind:toObject:withKeyPath:options:`, NSKeyValueBinding.h.
    @discardableResult
    public final func bind(
      _ name: NSBindingName, to source: KVObject, withKeyPath keyPath: String,
      options: [NSBindingOption: Any]? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Binding? {
      endingMisuse(nil, file, line) { () throws(KeyValueError) in
        try bind(
          name, to: source, withKeyPath: keyPath, options: BindingOptions(options ?? [:]),
          file: file, line: line)
      }
    }

    /// The other end of a name's binding, and its options as they were given; nil if it has none.
    ///
    /// - Note: Source `infoForBinding:`, NSKeyValueBinding.h.
    public final func infoForBinding(_ name: NSBindingName) -> [NSBindingInfoKey: Any]? {
      guard let info = binding(named: name)?.info else { return nil }
      var answer: [NSBindingInfoKey: Any] = [
        .observedKeyPath: info.observedKeyPath, .options: info.options.dictionary,
      ]
      answer[.observedObject] = info.observedObject
      return answer
    }

    /// Sets what objects of this class show for a marker, or for nil, where a binding of that name gives
    /// no placeholder of its own.
    ///
    /// - Parameters:
    ///   - placeholder: Several threads may show it; nil takes it back.
    ///   - marker: `NSMultipleValuesMarker` or another mark; nil for nil. Anything else is a misuse.
    ///   - name: The name of the binding.
    /// - Note: Source `setDefaultPlaceholder:forMarker:withBinding:`, NSKeyValueBinding.h.
    public static func setDefaultPlaceholder(
      _ placeholder: (any Sendable)?, forMarker marker: Any?, withBinding name: NSBindingName
    ) {
      endingMisuse(()) { () throws(KeyValueError) in
        setDefaultPlaceholder(placeholder, for: try knownMarker(marker, name), binding: name)
      }
    }

    /// The placeholder that ``setDefaultPlaceholder(_:forMarker:withBinding:)`` has set for this class, or
    /// for one above it.
    ///
    /// - Note: Source `defaultPlaceholderForMarker:withBinding:`, NSKeyValueBinding.h.
    public static func defaultPlaceholder(
      forMarker marker: Any?, withBinding name: NSBindingName
    ) -> Any? {
      endingMisuse(nil) { () throws(KeyValueError) in
        defaultPlaceholder(for: try knownMarker(marker, name), binding: name)
      }
    }
  }

  /// A marker that came as a value of any type.
  private func knownMarker(
    _ marker: Any?, _ name: BindingName
  ) throws(KeyValueError) -> BindingMarker? {
    guard let marker = plain(marker), !(marker is NSNull) else { return nil }
    if let marker = marker as? BindingMarker { return marker }
    throw KeyValueError(
      .incompatible, key: name.rawValue,
      reason: "\(marker) was given as a marker of the binding “\(name.rawValue)”",
      cure: "give NSMultipleValuesMarker, NSNoSelectionMarker, NSNotApplicableMarker or nil")
  }

  // MARK: - Options

  extension BindingOptions {
    /// Options by AppKit's names. Options that the library has no use for are kept.
    ///
    /// - Throws: `KeyValueError.Code.incompatible` for a value of another type.
    fileprivate init(_ given: [NSBindingOption: Any]) throws(KeyValueError) {
      self.init()
      for (option, value) in given {
        others[option.rawValue] = value
        try take(value, for: option)
      }
    }

    private mutating func take(_ value: Any, for option: NSBindingOption) throws(KeyValueError) {
      if let flag = flags[option] {
        self[keyPath: flag] = try typed(value, option)
      } else if let placeholder = placeholders[option] {
        self[keyPath: placeholder] = value
      } else if option == .displayPattern {
        displayPattern = try typed(value, option) as String
      } else if option == .valueTransformer {
        transformer = try transformerFrom(value, option)
      } else if option == .valueTransformerName {
        transformerName = try nameFrom(value, option)
      }
    }

    /// The options by AppKit's names: as they were given, or as they were set.
    fileprivate var dictionary: [NSBindingOption: Any] {
      let none = BindingOptions()
      var answer: [NSBindingOption: Any] = [:]
      for (option, flag) in flags where self[keyPath: flag] != none[keyPath: flag] {
        answer[option] = self[keyPath: flag]
      }
      for (option, placeholder) in placeholders { answer[option] = self[keyPath: placeholder] }
      answer[.displayPattern] = displayPattern
      answer[.valueTransformer] = transformer.map { ValueTransformer.standing(for: $0) }
      answer[.valueTransformerName] = transformerName
      for (option, value) in others { answer[NSBindingOption(rawValue: option)] = value }
      return answer
    }
  }

  /// The value of an option as the type that it has.
  private func typed<Value>(
    _ value: Any, _ option: NSBindingOption
  ) throws(KeyValueError) -> Value {
    if let value = value as? Value ?? converted(value, to: Value.self) { return value }
    throw KeyValueError(
      .incompatible, key: option.rawValue,
      reason: "the option \(option.rawValue) was given as \(type(of: value))",
      cure: "give a \(Value.self)")
  }

  private func transformerFrom(
    _ value: Any, _ option: NSBindingOption
  ) throws(KeyValueError) -> Transformer<Any?, Any?> {
    if let object = value as? ValueTransformer { return object.transformer }
    return try typed(value, option)
  }

  private func nameFrom(
    _ value: Any, _ option: NSBindingOption
  ) throws(KeyValueError) -> TransformerName {
    if let name = value as? TransformerName { return name }
    return TransformerName(rawValue: try typed(value, option))
  }

  private var flags: [NSBindingOption: WritableKeyPath<BindingOptions, Bool>] {
    [
      .allowsEditingMultipleValuesSelection: \.allowsEditingMultipleValues,
      .conditionallySetsEditable: \.conditionallySetsEditable,
      .conditionallySetsEnabled: \.conditionallySetsEnabled,
      .conditionallySetsHidden: \.conditionallySetsHidden,
      .continuouslyUpdatesValue: \.continuouslyUpdatesValue,
      .handlesContentAsCompoundValue: \.handlesContentAsCompoundValue,
      .raisesForNotApplicableKeys: \.raisesForNotApplicableKeys,
      .validatesImmediately: \.validatesImmediately,
    ]
  }

  private var placeholders: [NSBindingOption: WritableKeyPath<BindingOptions, Any?>] {
    [
      .multipleValuesPlaceholder: \.multipleValuesPlaceholder,
      .noSelectionPlaceholder: \.noSelectionPlaceholder,
      .notApplicablePlaceholder: \.notApplicablePlaceholder,
      .nullPlaceholder: \.nullPlaceholder,
    ]
  }
#endif
