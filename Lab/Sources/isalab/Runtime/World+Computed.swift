import CIsa

// Computed properties: getters that work their value out by key-value coding.

extension World {
  func addComputedGetter(of property: Symbols.Property, to cls: isa_class) throws(Refusal) {
    let expression = property.declaration.expression!
    let type = property.type
    try Method.add(property.declaration.getter, type.encoding + "@:", to: cls) {
      [unowned self] object, result, _ in
      do throws(Refusal) {
        try self.enterGetter(property)
        defer { self.getterDepth -= 1 }
        try self.store(try self.value(of: expression, type, object), type, result!)
      } catch {
        // A getter has no status to return; the value is then nothing or zero.
        if !self.budget.isExceeded { self.recorder.record(error) }
        let size = Extent(firstOf: type.encoding)?.size ?? 0
        result!.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      }
    }
  }

  private func enterGetter(_ property: Symbols.Property) throws(Refusal) {
    let name = "\(property.owner).\(property.name)"
    guard budget.spendGetter(name, depth: getterDepth, count: getterCount) else {
      throw Refusal(
        exception: "NSInternalInconsistencyException", reason: "\(name) has no value")
    }
    getterDepth += 1
    getterCount += 1
  }

  private func store(
    _ value: isa_id?, _ type: ValueType, _ result: UnsafeMutableRawPointer
  ) throws(Refusal) {
    if type.isObject {
      result.storeBytes(of: value, as: isa_id?.self)
    } else {
      let size = Extent(firstOf: type.encoding)?.size ?? 0
      result.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      guard let value else { return }
      let letter = CChar(bitPattern: type.encoding.utf8.first!)
      try refusing(kvc_number_read(value, letter, result))
    }
  }

  private func value(
    of expression: Expression, _ type: ValueType, _ object: isa_id
  ) throws(Refusal) -> isa_id? {
    var operands: [isa_id?] = []
    for operand in expression.operands { operands.append(try value(of: operand, type, object)) }
    switch expression.function {
    case nil: return operands[0]
    case .join: return try joined(operands)
    case .sum: return try number(try numbers(operands).reduce(0, +))
    case .product: return try number(try numbers(operands).reduce(1, *))
    case .count: return try number(Double(kvc_collection_count(operands[0])))
    }
  }

  private func value(
    of operand: Expression.Operand, _ type: ValueType, _ object: isa_id
  ) throws(Refusal) -> isa_id? {
    switch operand {
    case .path(let path):
      var value: isa_id?
      try refusing(kvc_copy_value_for_path(object, path.text, &value))
      return releaseLater(value)
    case .literal(let literal): return try self.object(for: literal)
    }
  }

  /// The literal as an object.
  func object(for literal: Literal, as typeName: String = "object") throws(Refusal) -> isa_id? {
    let encoder = ValueEncoder(file: "", labels: symbols.labels, words: self)
    do throws(Diagnostic) {
      let type = ValueType(name: typeName, encoding: "@")
      let bytes = try encoder.bytes(of: literal, as: type)
      return bytes.withUnsafeBytes { $0.load(as: isa_id?.self) }
    } catch {
      throw Refusal(error)
    }
  }

  private func joined(_ operands: [isa_id?]) throws(Refusal) -> isa_id? {
    var text = ""
    for case let operand? in operands {
      var description: isa_id?
      try refusing(kvc_copy_description(operand, &description))
      text += ObjectReader.text(of: operand) ?? description.flatMap(ObjectReader.text) ?? ""
      isa_object_release(description)
    }
    return isa_id(bitPattern: word(ofText: text))
  }

  /// The numbers that the operands are; nothing counts as 0.
  private func numbers(_ operands: [isa_id?]) throws(Refusal) -> [Double] {
    var numbers: [Double] = []
    for operand in operands {
      var number = 0.0
      if let operand { try refusing(kvc_number_read(operand, 100, &number)) }
      numbers.append(number)
    }
    return numbers
  }

  private func number(_ number: Double) throws(Refusal) -> isa_id? {
    var made: isa_id?
    try refusing(kvc_number_make_double(number, &made))
    return releaseLater(made)
  }
}
