import IsaRuntime

/// The keys that affect a key, by class.
typealias Declarations = [RuntimeClass: [String: Set<String>]]

struct Place {
  let object: RuntimeObject
  let key: String
  let isEnd: Bool
}

/// Where a registration has to watch: along its key path, and at all that affects a key on it.
struct Places {
  let declarations: Declarations
  private(set) var all: [Place] = []

  init(declarations: Declarations) { self.declarations = declarations }

  mutating func follow(_ keyPath: String, from object: RuntimeObject, isEnd: Bool) {
    let parts = keyPath.split(separator: ".", maxSplits: 1).map(String.init)
    let isLast = parts.count == 1
    if add(Place(object: object, key: parts[0], isEnd: isEnd && isLast)) {
      for path in affecting(parts[0], of: object) { follow(path, from: object, isEnd: false) }
    }
    guard !isLast, let next = object.value(at: parts[0]).object else { return }
    follow(parts[1], from: next, isEnd: isEnd)
  }

  /// False if the place was there.
  private mutating func add(_ place: Place) -> Bool {
    if all.contains(where: { $0.object == place.object && $0.key == place.key }) { return false }
    all.append(place)
    return true
  }

  private func affecting(_ key: String, of object: RuntimeObject) -> Set<String> {
    let classes = sequence(first: object.class) { $0.superclass }
    return classes.reduce(into: []) { $0.formUnion(declarations[$1]?[key] ?? []) }
  }
}

extension RuntimeObject {
  /// The value at the end of a path; nil for one that cannot be read.
  func value(at keyPath: String) -> RuntimeValue {
    (try? value(forKeyPath: keyPath)) ?? .nilObject
  }
}
