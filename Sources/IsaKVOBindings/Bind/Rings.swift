internal import IsaKVO
internal import IsaRuntime

extension KVObject {
  /// Reports a binding that closes a ring: its source follows, by way of others, what it sets. Values
  /// then go round once; with transformers that contradict one another they need not agree.
  final func reportRing(from binding: Binding) {
    if binding.followed() == nil { return }
    var seen: [ObjectIdentifier] = [ObjectIdentifier(binding)]
    var links = [binding]
    while let next = links.last!.followed(), !seen.contains(ObjectIdentifier(next)) {
      seen.append(ObjectIdentifier(next))
      links.append(next)
    }
    guard links.count > 1, links.last!.followed() === binding else { return }
    let names = links.map { "\($0.target.object.map { "\(type(of: $0))" } ?? "nil").\($0.end)" }
    let ring = (names + [names[0]]).joined(separator: " ← ")
    Misuse.report(KeyValueError(.selfDependent, reason: "bindings form a ring: \(ring)"))
  }
}

extension Binding {
  /// The binding that sets what this one follows.
  fileprivate final func followed() -> Binding? {
    guard let source = source.object, case .name(let path) = sourcePath,
      !path.utf8.contains(UInt8(ascii: "."))
    else { return nil }
    return source.bindings.first { $0.end == sourcePath }
  }
}
