// Expectations: whether what happened is what the scenario says.

extension Runner {
  mutating func judge(
    _ expectation: Expectation, at location: SourceLocation
  ) throws(Refusal) -> Fact {
    guard let (actual, expected) = try difference(expectation.kind) else {
      record.held += 1
      return .held
    }
    record.broken.append(
      Diagnostic(file: record.file, location: location, problem: actual, expected: expected))
    return .broken(actual: actual, expected: expected)
  }

  /// What is and what should be; nil if they agree.
  private func difference(_ kind: Expectation.Kind) throws(Refusal) -> (String, String)? {
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
      let cls = try classOf(name)
      let has = inspector.methods(of: cls).contains { $0.selector == selector.text }
      guard has == negated else { return nil }
      let subject = inspector.names.className(cls)
      return ("\(subject) itself \(has ? "has" : "has not") \(selector)", negated ? "none" : "one")
    case .equal(let query, let literal, let negated):
      return try difference(query, literal, negated: negated)
    }
  }

  /// What the line before the expectations brought about.
  private var latest: [Fact] { record.steps.last { !$0.isExpectation }?.facts ?? [] }

  private func deliveries(to observer: String) -> [Delivery] {
    record.steps.flatMap(\.deliveries).filter { $0.observer == observer }
  }

  private func errorDifference(_ name: String) -> (String, String)? {
    for fact in latest {
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
  ) throws(Refusal) -> (String, String)? {
    let (actual, expected) = try comparison(query, literal)
    guard (actual == expected) == negated else { return nil }
    return ("it is \(actual)", negated ? "anything else" : expected)
  }

  private func comparison(_ query: Query, _ literal: Literal) throws(Refusal) -> (String, String) {
    if case .property(let reference) = query {
      let value = try read(reference)
      return ("\(value)", "\(try self.value(of: literal, as: property(reference).type))")
    }
    let actual =
      switch try answer(query) {
      case .isa(_, let name, _), .claimedClass(_, let name), .superclass(_, let name): name
      case .implementation(_, let view, _): view?.kind.rawValue ?? "nil"
      case .retainCount(_, let count): "\(count)"
      case .registrations(_, let list): "\(list.count)"
      case .alive(_, let alive): "\(alive)"
      case .property, .methods: ""
      }
    return (actual, "\(literal)")
  }

  /// The literal as it reads once it went through a type and back.
  private func value(of literal: Literal, as type: ValueType) throws(Refusal) -> Value {
    let bytes = try bytes(of: literal, as: type)
    return bytes.withUnsafeBytes {
      world.decoder.value(at: $0.baseAddress!, encoding: type.encoding)
    }
  }

  private func difference(
    _ pattern: NotificationPattern, of deliveries: [Delivery], _ observer: String
  ) throws(Refusal) -> (String, String)? {
    guard let delivery = pattern.position.pick(from: deliveries) else {
      return ("\(observer) heard \(deliveries.count)", "\(pattern.position)")
    }
    if let phase = pattern.phase, phase != delivery.phase {
      return ("it is of kind \(delivery.phase)", "\(phase)")
    }
    if let key = pattern.key, key.text != delivery.key {
      return ("its key is \(delivery.key)", key.text)
    }
    if let context = pattern.context, context != delivery.context {
      return ("its context is \(delivery.context)", "\(context)")
    }
    if let difference = try difference("old", delivery.old, pattern.old) { return difference }
    return try difference("new", delivery.new, pattern.new)
  }

  private func difference(
    _ what: String, _ item: Delivery.Item?, _ expected: NotificationPattern.Value?
  ) throws(Refusal) -> (String, String)? {
    switch (expected, item) {
    case (nil, _), (.absent, nil): return nil
    case (.absent, let item?): return ("its \(what) is \(item.value)", "none")
    case (.value(let literal), nil): return ("it has no \(what)", "\(literal)")
    case (.value(let literal), let item?):
      let type = ValueType(name: item.encoding, encoding: item.encoding)
      let value = try self.value(of: literal, as: type)
      return value == item.value ? nil : ("its \(what) is \(item.value)", "\(value)")
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
