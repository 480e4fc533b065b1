import CIsa
import IsaKVOTestSupport

/// The value at the end of `path`, boxed; nil for nil.
func value(_ object: isa_id?, at path: String?) throws -> Boxed? {
  try answered { kvc_copy_value_for_path(object, path, $0) }
}

/// Sets the value at the end of `path`.
func set(_ object: isa_id?, at path: String?, _ value: Boxed?) throws {
  try withExtendedLifetime(value) { try check(kvc_set_value_for_path(object, path, value?.id)) }
}

/// The answer of `call` in its out-parameter; nil for nil.
func answered(_ call: (UnsafeMutablePointer<isa_id?>) -> isa_status) throws -> Boxed? {
  var id: isa_id?
  try check(call(&id))
  return id.map(Boxed.init(adopting:))
}

/// The status with which `body` fails; `ISA_OK` if it does not.
func status<Value>(of body: () throws -> Value) throws -> isa_status {
  do {
    _ = try body()
    return ISA_OK
  } catch let error as StatusError {
    return error.status
  }
}

/// A class of chained objects with the ivars `_next`, `_name` and `_number`.
final class NodeClass {
  let pair: ClassPair

  init(_ name: String = "Node", below superclass: NodeClass? = nil) throws {
    pair = try ClassPair(name, below: superclass?.pair, isRegistered: false)
    if superclass == nil {
      for key in ["_next", "_name"] {
        try check(isa_class_add_ivar(pair.cls, key, "@", ISA_OWNERSHIP_RETAIN))
      }
      try check(isa_class_add_ivar(pair.cls, "_number", "q", ISA_OWNERSHIP_NONE))
    }
    try pair.register()
  }

  var cls: isa_class { pair.cls }

  func make() throws -> Boxed { try Boxed { isa_object_allocate(cls, $0) } }

  /// Objects each of which has the one behind it as `next`.
  func chain(_ count: Int) throws -> Held<Boxed> {
    let nodes = try Held(count) { try make() }
    for (node, next) in zip(nodes, nodes.dropFirst()) { try set(node.id, at: "next", next) }
    return nodes
  }
}
