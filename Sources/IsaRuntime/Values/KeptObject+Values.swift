package import CIsa

extension KeptObject: RuntimeValues {
  package static var objectType: Any.Type { RuntimeObject.self }

  package static func reference(to id: isa_id) -> Any {
    if kvc_kind_of(id) == KVC_KIND_VALUE { return RuntimeValue(inside: id) }
    let object = RuntimeObject(retaining: id)
    return object.asClass ?? object
  }

  package static func value(_ value: kvc_value) -> Any? { RuntimeValue(value) }

  package static func coder<Value>(
    for type: Value.Type
  ) -> (copy: (Value) -> isa_id?, read: (isa_id?) -> Value?)? {
    guard let type = type as? any RuntimeConvertible.Type else { return nil }
    return coder(type)
  }

  private static func coder<Value, Convertible: RuntimeConvertible>(
    _ type: Convertible.Type
  ) -> (copy: (Value) -> isa_id?, read: (isa_id?) -> Value?) {
    (
      copy: { value in
        var id: isa_id?
        _ = makeBox((value as! Convertible).runtimeValue, &id)
        return id
      },
      read: { Convertible(runtimeValue: RuntimeValue(unboxing: $0)) as? Value }
    )
  }
}
