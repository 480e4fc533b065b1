public import IsaKVO
internal import IsaKeyValue

extension KVObject {
  /// Sets what objects of this class show for a marker, or for nil, where a binding of that name gives
  /// no placeholder of its own; nil takes it back. Subclasses show it as well. Any thread may call this.
  ///
  /// - Note: Source `setDefaultPlaceholder:forMarker:withBinding:`, NSKeyValueBinding.h.
  public static func setDefaultPlaceholder(
    _ placeholder: (any Sendable)?, for marker: BindingMarker?, binding name: BindingName
  ) {
    DefaultPlaceholders.set(placeholder, for: marker, name, self)
  }

  /// The placeholder that ``setDefaultPlaceholder(_:for:binding:)`` has set for this class, or for one
  /// above it.
  ///
  /// - Note: Source `defaultPlaceholderForMarker:withBinding:`, NSKeyValueBinding.h.
  public static func defaultPlaceholder(
    for marker: BindingMarker?, binding name: BindingName
  ) -> Any? {
    DefaultPlaceholders.find(marker, name, self)
  }
}

/// The placeholders of classes, for bindings that give none.
enum DefaultPlaceholders {
  private struct Key: Hashable {
    let type: ObjectIdentifier
    let marker: BindingMarker?
    let name: BindingName
  }

  private static let known = Locked<[Key: any Sendable]>([:])

  static func set(
    _ placeholder: (any Sendable)?, for marker: BindingMarker?, _ name: BindingName,
    _ type: AnyClass
  ) {
    known.withLock {
      $0[Key(type: ObjectIdentifier(type), marker: marker, name: name)] = placeholder
    }
  }

  static func find(_ marker: BindingMarker?, _ name: BindingName, _ type: AnyClass) -> Any? {
    known.withLock { known in
      if known.isEmpty { return nil }
      return sequence(first: type, next: { _getSuperclass($0) }).lazy
        .compactMap { known[Key(type: ObjectIdentifier($0), marker: marker, name: name)] }.first
    }
  }

  /// The placeholder for a target: its class's, or the marker's own text if the property is one.
  static func find(
    _ marker: BindingMarker?, _ name: BindingName, _ target: KVObject, _ key: String
  ) -> Any? {
    if let own = find(marker, name, type(of: target)) { return own }
    guard let marker, (try? target.value(forKey: key)) is String else { return nil }
    switch marker {
    case .multipleValues: return "Multiple Values"
    case .noSelection: return "No Selection"
    case .notApplicable: return "Not Applicable"
    }
  }
}
