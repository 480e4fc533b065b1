import IsaRuntime

// Faults: objects whose values are found when one of them is asked for.

extension Performer {
  /// Gives an object a class made at run time, whose accessors find the values of a row.
  func fault(_ name: Name, _ values: Literal) throws(KeyValueError) {
    let object = try world.object(name)
    let className = program.symbols.objects[name.text]!.className
    guard case .dictionary(let entries) = values.kind else { return }
    var row: [(property: Symbols.Property, value: RuntimeValue)] = []
    for entry in entries {
      let property = program.symbols.property(entry.key.text, of: className)!
      row.append((property, try world.value(of: entry.value, as: property.type)))
    }
    let cls = try faultClass(of: className)
    rows[object.address] = row
    try object.setIsa(cls)
  }

  private func faultClass(of className: String) throws(KeyValueError) -> RuntimeClass {
    let name = Symbols.faultName(of: className)
    if let known = RuntimeClass.find(named: name) { return known }
    let plain = try world.existingClass(className), performer = Unowned(self)
    return try world.makeClass(name, superclass: plain) { builder throws(KeyValueError) in
      for property in program.symbols.properties(of: className) {
        let selectors = [property.declaration.getter, property.declaration.setter]
        for selector in selectors.compactMap(\.self) {
          guard let method = plain.method(RuntimeSelector(selector)) else { continue }
          try builder.method(method.selector, method.encoding) {
            (call: RuntimeMethodCall) -> RuntimeValue in
            performer.object.find(call.receiver, className)
            return (try? call.callSuper(call.arguments)) ?? .void
          }
        }
      }
    }
  }

  /// Does once what a store does: reads the row, swaps the isa beneath the observers, and writes the
  /// values where they stand.
  private func find(_ object: RuntimeObject, _ className: String) {
    guard let row = rows.removeValue(forKey: object.address) else { return }
    let columns = row.map(\.property.name).joined(separator: ", ")
    world.recorder.record(.note(Text("step.select", ["columns": columns, "table": className])))
    do throws(KeyValueError) {
      try object.setIsa(try world.existingClass(className))
      for (property, value) in row { try object.setPrimitiveValue(value, forKey: property.name) }
    } catch { world.recorder.record(error) }
  }
}
