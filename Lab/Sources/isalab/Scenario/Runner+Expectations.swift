import IsaRuntime

// Expectations: whether what happened is what the scenario says.

extension Runner {
  mutating func judge(
    _ expectation: Expectation, at location: SourceLocation
  ) throws(KeyValueError) -> Fact {
    guard let (actual, expected) = try difference(expectation.kind) else {
      record.held += 1
      return .held
    }
    record.broken.append(
      Diagnostic(file: record.file, location: location, problem: actual, expected: expected))
    return .broken(actual: actual, expected: expected)
  }

  /// The fact and the expectation; nil if they agree.
  private func difference(_ kind: Expectation.Kind) throws(KeyValueError) -> (String, String)? {
    switch kind {
    case .error(let name): return errorDifference(name.text)
    case .notifications(let count):
      return countDifference(latest.deliveries.count, count)
    case .heard(let observer, let count):
      let heard = deliveries(to: observer.text).count
      return countDifference(heard, count).map { ("\(observer) heard \($0)", $1) }
    case .notification(let observer, let pattern):
      return try difference(pattern, of: deliveries(to: observer.text), observer.text)
    case .method(let name, let selector, let negated):
      let cls = try performer.classOf(name)
      let has = performer.inspector.methods(of: cls).contains { $0.selector == selector.text }
      guard has == negated else { return nil }
      let subject = performer.inspector.names.name(of: cls)
      return ("\(subject) itself \(has ? "has" : "has not") \(selector)", negated ? "none" : "one")
    case .equal(let query, let literal, let negated):
      return try difference(query, literal, negated: negated)
    }
  }

  /// The facts of the line before the expectations.
  private var latest: [Fact] { record.steps.last { !$0.isExpectation }?.facts ?? [] }

  private func deliveries(to observer: String) -> [Delivery] {
    record.steps.flatMap(\.deliveries).filter { $0.observer == observer }
  }

  private func errorDifference(_ name: String) -> (String, String)? {
    for fact in latest.flattened {
      switch fact {
      case .refused(let refusal), .misuse(let refusal):
        return refusal.exception == name ? nil : ("the error is \(refusal.exception)", name)
      default: break
      }
    }
    return ("there is no error", name)
  }

  private func countDifference(_ actual: Int, _ expected: Int) -> (String, String)? {
    let noun = actual == 1 ? "notification" : "notifications"
    return actual == expected ? nil : ("\(actual) \(noun)", "\(expected)")
  }

  private func difference(
    _ query: Query, _ literal: Literal, negated: Bool
  ) throws(KeyValueError) -> (String, String)? {
    let (actual, expected) = try comparison(query, literal)
    guard (actual == expected) == negated else { return nil }
    return ("it is \(actual)", negated ? "anything else" : expected)
  }

  /// The answer to a question, and the literal, in the same words.
  private func comparison(
    _ query: Query, _ literal: Literal
  ) throws(KeyValueError) -> (String, String) {
    if case .property(let reference) = query {
      // Along a path even a number may be missing.
      let isNil = literal.kind == .nothing
      let type = isNil ? Runner.object : performer.property(reference)?.type ?? Runner.object
      return ("\(try performer.read(reference))", "\(try value(of: literal, as: type))")
    }
    switch try performer.answer(query) {
    case .property(_, let value):
      return ("\(value)", "\(try self.value(of: literal, as: Runner.object))")
    case .bulk(_, let values):
      let type = ValueType(name: "dictionary", encoding: "@")
      return ("\(values)", "\(try value(of: literal, as: type))")
    case .affecting(_, let keys, _): return (keySet(keys), keySet(of: literal))
    case let answer: return (word(for: answer), "\(literal)")
    }
  }

  private func word(for answer: Answer) -> String {
    switch answer {
    case .isa(_, let name, _), .claimedClass(_, let name), .superclass(_, let name): name
    case .implementation(_, let view, _): view?.kind.rawValue ?? "nil"
    case .retainCount(_, let count): "\(count)"
    case .registrations(_, let list), .affected(_, let list): "\(list.count)"
    case .pending(_, let list): "\(list.count)"
    case .alive(_, let flag), .validation(_, _, let flag, _): "\(flag)"
    case .property, .bulk, .affecting, .methods: ""
    }
  }

  private static let object = ValueType(name: "object", encoding: "@")

  private func keySet(_ keys: [String]) -> String {
    "{" + Set(keys).sorted().joined(separator: ", ") + "}"
  }

  private func keySet(of literal: Literal) -> String {
    guard case .set(let members) = literal.kind else { return "\(literal)" }
    return keySet(members.compactMap(\.keyText))
  }

  /// The literal as it reads once it went through a type and back.
  private func value(of literal: Literal, as type: ValueType) throws(KeyValueError) -> Value {
    let world = performer.world
    return world.decoder.value(try world.value(of: literal, as: type), as: type.encoding)
  }

  private func difference(
    _ pattern: NotificationPattern, of deliveries: [Delivery], _ observer: String
  ) throws(KeyValueError) -> (String, String)? {
    guard let delivery = pattern.position.pick(from: deliveries) else {
      return ("\(observer) heard \(deliveries.count)", "\(pattern.position)")
    }
    if let difference = headDifference(pattern, of: delivery) { return difference }
    if let difference = try difference("old", delivery.old, pattern.old) { return difference }
    return try difference("new", delivery.new, pattern.new)
  }

  /// The differences that do not depend on values.
  private func headDifference(
    _ pattern: NotificationPattern, of delivery: Delivery
  ) -> (String, String)? {
    if let phase = pattern.phase, phase != delivery.phase {
      return ("it is of kind \(delivery.phase)", "\(phase)")
    }
    if let kind = pattern.kind, kind != delivery.kind {
      return ("it is of kind \(delivery.kind)", "\(kind)")
    }
    if let object = pattern.object, object.text != delivery.object {
      return ("its object is \(delivery.object)", object.text)
    }
    if let key = pattern.key, key.text != delivery.key {
      return ("its key is \(delivery.key)", key.text)
    }
    if let context = pattern.context, context != delivery.context {
      return ("its context is \(delivery.context)", "\(context)")
    }
    let indexes = pattern.indexes?.sorted
    guard let indexes, indexes != delivery.indexes ?? [] else { return nil }
    return ("its indexes are \(shown(delivery.indexes))", shown(indexes))
  }

  private func shown(_ indexes: [UInt]?) -> String {
    guard let indexes, !indexes.isEmpty else { return "absent" }
    return "(" + indexes.map(String.init).joined(separator: ", ") + ")"
  }

  private func difference(
    _ what: String, _ item: Delivery.Item?, _ expected: NotificationPattern.Value?
  ) throws(KeyValueError) -> (String, String)? {
    switch (expected, item) {
    case (nil, _), (.absent, nil): return nil
    case (.absent, let item?): return ("its \(what) is \(item.value)", "none")
    case (.value(let literal), nil): return ("it has no \(what)", "\(literal)")
    case (.value(let literal), let item?) where literal.kind == .nothing:
      return item.value == .nothing ? nil : ("its \(what) is \(item.value)", "nil")
    case (.value(let literal), let item?):
      let type = ValueType(name: item.encoding, encoding: item.encoding)
      let value = try self.value(of: literal, as: type)
      return "\(value)" == "\(item.value)" ? nil : ("its \(what) is \(item.value)", "\(value)")
    }
  }
}

extension NotificationPattern.Indexes {
  /// Ascending and without repetition; none if there should be none.
  fileprivate var sorted: [UInt] {
    switch self {
    case .absent: []
    case .at(let list): Set(list.indexes).sorted()
    }
  }
}

extension NotificationPattern.Position: CustomStringConvertible {
  var description: String {
    switch self {
    case .first: "a first notification"
    case .last: "a last notification"
    case .number(let number): "a notification number \(number)"
    }
  }

  fileprivate func pick(from deliveries: [Delivery]) -> Delivery? {
    switch self {
    case .first: deliveries.first
    case .last: deliveries.last
    case .number(let number): number <= deliveries.count ? deliveries[number - 1] : nil
    }
  }
}
