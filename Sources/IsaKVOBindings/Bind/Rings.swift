internal import IsaKVO
internal import IsaKeyValue

extension KVObject {
  /// Reports a binding that closes a ring: its source follows, by way of others, what it sets. Values
  /// then go round once; with transformers that contradict one another they need not agree.
  final func reportRing(from binding: Binding) {
    guard let links = binding.ring else { return }
    PushFrame.noteRing()
    let names = links.map { "\($0.target.object.map { "\(type(of: $0))" } ?? "nil").\($0.end)" }
    let ring = (names + [names[0]]).joined(separator: " ← ")
    Misuse.report(KeyValueError(.selfDependent, reason: "bindings form a ring: \(ring)"))
  }
}

extension Binding {
  /// Whether it is one of a ring: a value then goes no further where a property has it already.
  var isInRing: Bool { PushFrame.hasMetRing && ring != nil }

  /// The bindings of the ring that it is one of; nil if it is in none.
  fileprivate var ring: [Binding]? {
    guard var next = followed() else { return nil }
    var links = [self]
    while next !== self {
      if links.contains(where: { $0 === next }) { return nil }
      links.append(next)
      guard let further = next.followed() else { return nil }
      next = further
    }
    return links
  }

  /// The binding that sets what this one follows.
  private func followed() -> Binding? {
    guard let source = source.object, case .keys(let path) = sourcePath,
      !path.utf8.contains(UInt8(ascii: "."))
    else { return nil }
    return source.bindings.first { $0.key?.isKey(path) == true }
  }

  /// The key that is set; nil if what it binds is no key.
  private var key: String? {
    if let named = withState({ $0.named }) { return named.key }
    guard case .keys(let name) = end else { return nil }
    return name
  }
}
