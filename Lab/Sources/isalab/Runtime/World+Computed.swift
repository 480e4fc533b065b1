import IsaRuntime

// Computed properties: getters that work their value out by key-value coding.

extension World {
  func addComputedGetter(
    of property: Symbols.Property, to builder: RuntimeClassBuilder
  ) throws(KeyValueError) {
    let expression = property.declaration.expression!
    let type = RuntimeTypeEncoding(property.type.encoding)
    let world = Unowned(self)
    try builder.method(
      RuntimeSelector(property.declaration.getter), .method(returning: type, taking: [])
    ) { call in
      world.object.value(of: property, expression, type, call.receiver)
    }
  }

  private func value(
    of property: Symbols.Property, _ expression: Expression, _ type: RuntimeTypeEncoding,
    _ object: RuntimeObject
  ) -> RuntimeValue {
    do throws(KeyValueError) {
      try enterGetter(property)
      defer { getterDepth -= 1 }
      let value = try self.value(of: expression, object)
      if value.isNil { return try type.zero() }
      return property.type.isObject
        ? releaseLater(RuntimeValue(try value.boxed())) : try value.number(as: type)
    } catch {
      // A getter has no status to return; the value is then nothing or zero.
      if !budget.isExceeded { recorder.record(error) }
      return (try? type.zero()) ?? .nilObject
    }
  }

  private func enterGetter(_ property: Symbols.Property) throws(KeyValueError) {
    let name = "\(property.owner).\(property.name)"
    guard budget.spendGetter(name, depth: getterDepth, count: getterCount) else {
      throw KeyValueError(.inconsistent, reason: "\(name) has no value")
    }
    getterDepth += 1
    getterCount += 1
  }

  private func value(
    of expression: Expression, _ object: RuntimeObject
  ) throws(KeyValueError) -> RuntimeValue {
    var operands: [RuntimeValue] = []
    for operand in expression.operands { operands.append(try value(of: operand, object)) }
    switch expression.function {
    case nil: return operands[0]
    case .join: return RuntimeValue(try joined(operands))
    case .sum: return RuntimeValue(try numbers(operands).reduce(0, +))
    case .product: return RuntimeValue(try numbers(operands).reduce(1, *))
    case .count: return RuntimeValue(Double(operands[0].elements?.count ?? 0))
    }
  }

  private func value(
    of operand: Expression.Operand, _ object: RuntimeObject
  ) throws(KeyValueError) -> RuntimeValue {
    switch operand {
    case .path(let path): return try object.value(forKeyPath: path.text)
    case .literal(let literal): return try value(of: literal)
    }
  }

  private func joined(_ operands: [RuntimeValue]) throws(KeyValueError) -> String {
    var text = ""
    for operand in operands where !operand.isNil {
      let object = try operand.boxed()
      text += operand.string ?? RuntimeValue(object).description
    }
    return text
  }

  /// The numbers that the operands are; nothing counts as 0.
  private func numbers(_ operands: [RuntimeValue]) throws(KeyValueError) -> [Double] {
    var numbers: [Double] = []
    for operand in operands {
      numbers.append(operand.isNil ? 0 : try operand.number(as: .double).double ?? 0)
    }
    return numbers
  }
}

extension RuntimeTypeEncoding {
  /// The value whose bytes are all zero.
  fileprivate func zero() throws(KeyValueError) -> RuntimeValue {
    if let none = try? RuntimeValue.nilObject.converted(to: self) { return none }
    let members = memberTypes
    guard members.isEmpty else {
      var zeros: [RuntimeValue] = []
      for member in members { zeros.append(try member.zero()) }
      return try RuntimeValue(self, members: zeros)
    }
    return try RuntimeValue(self, bytes: Array(repeating: 0, count: measure().size))
  }
}
