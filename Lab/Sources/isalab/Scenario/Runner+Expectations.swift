import IsaRuntime

// Expectations: whether what happened is what the scenario says.

/// The fact, and the expectation that it does not meet.
private typealias Mismatch = (actual: Text, expected: Text)

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
  private func difference(_ kind: Expectation.Kind) throws(KeyValueError) -> Mismatch? {
    switch kind {
    case .error(let name): return errorDifference(name.text)
    case .notifications(let count):
      return countDifference(latest.deliveries.count, count)
    case .heard(let observer, let count):
      let heard = deliveries(to: observer.text).count
      return countDifference(heard, count).map {
        (Text("outcome.heard", ["observer": observer, "what": $0.actual]), $0.expected)
      }
    case .notification(let observer, let pattern):
      return try difference(pattern, of: deliveries(to: observer.text), observer.text)
    case .method(let name, let selector, let negated):
      let cls = try performer.classOf(name)
      let has = performer.inspector.methods(of: cls).contains { $0.selector == selector.text }
      guard has == negated else { return nil }
      let subject = performer.inspector.names.name(of: cls)
      let places: Places = ["class": subject, "selector": selector.text]
      return (
        has ? Text("outcome.has", places) : Text("outcome.has-not", places),
        negated ? Text("outcome.none") : Text("outcome.one")
      )
    case .equal(let query, let literal, let negated):
      return try difference(query, literal, negated: negated)
    }
  }

  /// The facts of the line before the expectations.
  private var latest: [Fact] { record.steps.last { !$0.isExpectation }?.facts ?? [] }

  private func deliveries(to observer: String) -> [Delivery] {
    record.steps.flatMap(\.deliveries).filter { $0.observer == observer }
  }

  private func errorDifference(_ name: String) -> Mismatch? {
    for fact in latest.flattened {
      switch fact {
      case .refused(let refusal), .misuse(let refusal):
        if refusal.exception == name { return nil }
        return (Text("outcome.error-is", ["exception": refusal.exception]), Text(same: name))
      default: break
      }
    }
    return (Text("outcome.no-error"), Text(same: name))
  }

  private func countDifference(_ actual: Int, _ expected: Int) -> Mismatch? {
    if actual == expected { return nil }
    return (Text("outcome.notifications", ["count": actual]), Text(same: "\(expected)"))
  }

  private func difference(
    _ query: Query, _ literal: Literal, negated: Bool
  ) throws(KeyValueError) -> Mismatch? {
    let (actual, expected) = try comparison(query, literal)
    guard (actual == expected) == negated else { return nil }
    return (
      Text("outcome.it-is", ["value": actual]),
      negated ? Text("outcome.anything-else") : Text(same: expected)
    )
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
  ) throws(KeyValueError) -> Mismatch? {
    guard let delivery = pattern.position.pick(from: deliveries) else {
      return (
        Text("outcome.heard", ["observer": observer, "what": deliveries.count]),
        pattern.position.text
      )
    }
    if let difference = headDifference(pattern, of: delivery) { return difference }
    if let difference = try difference(.old, delivery.old, pattern.old) { return difference }
    return try difference(.new, delivery.new, pattern.new)
  }

  /// The differences that do not depend on values.
  private func headDifference(
    _ pattern: NotificationPattern, of delivery: Delivery
  ) -> Mismatch? {
    if let phase = pattern.phase, phase != delivery.phase {
      return mismatch("outcome.kind-is", "\(delivery.phase)", "\(phase)")
    }
    if let kind = pattern.kind, kind != delivery.kind {
      return mismatch("outcome.kind-is", "\(delivery.kind)", "\(kind)")
    }
    if let object = pattern.object, object.text != delivery.object {
      return mismatch("outcome.object-is", delivery.object, object.text)
    }
    if let key = pattern.key, key.text != delivery.key {
      return mismatch("outcome.key-is", delivery.key, key.text)
    }
    if let context = pattern.context, context != delivery.context {
      return mismatch("outcome.context-is", "\(delivery.context)", "\(context)")
    }
    let indexes = pattern.indexes?.sorted
    guard let indexes, indexes != delivery.indexes ?? [] else { return nil }
    return mismatch("outcome.indexes-are", shown(delivery.indexes), shown(indexes))
  }

  private func mismatch(_ key: String, _ actual: String, _ expected: String) -> Mismatch {
    (Text(key, ["value": actual]), Text(same: expected))
  }

  private func shown(_ indexes: [UInt]?) -> String {
    guard let indexes, !indexes.isEmpty else { return "absent" }
    return "(" + indexes.map(String.init).joined(separator: ", ") + ")"
  }

  private func difference(
    _ side: Side, _ item: Delivery.Item?, _ expected: NotificationPattern.Value?
  ) throws(KeyValueError) -> Mismatch? {
    switch (expected, item) {
    case (nil, _), (.absent, nil): return nil
    case (.absent, let item?): return (side.text(item), Text("outcome.none"))
    case (.value(let literal), nil): return (side.absent, Text(same: "\(literal)"))
    case (.value(let literal), let item?) where literal.kind == .nothing:
      return item.value == .nothing ? nil : (side.text(item), Text(same: "nil"))
    case (.value(let literal), let item?):
      let type = ValueType(name: item.encoding, encoding: item.encoding)
      let value = try self.value(of: literal, as: type)
      let isEqual = "\(value)" == "\(item.value)"
      return isEqual ? nil : (side.text(item), Text(same: "\(value)"))
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

/// Which of the two values of a notification.
private enum Side {
  case old, new

  var absent: Text { self == .old ? Text("outcome.no-old") : Text("outcome.no-new") }

  func text(_ item: Delivery.Item) -> Text {
    let places: Places = ["value": item.value]
    return self == .old ? Text("outcome.old-is", places) : Text("outcome.new-is", places)
  }
}

extension NotificationPattern.Position {
  fileprivate var text: Text {
    switch self {
    case .first: Text("outcome.first")
    case .last: Text("outcome.last")
    case .number(let number): Text("outcome.number", ["number": number])
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
