import IsaRuntime

// Accessors of elements: methods that change the collection in an ivar.

extension World {
  func addAccessors(
    _ names: [Name], of property: Symbols.Property, to builder: RuntimeClassBuilder
  ) throws(KeyValueError) {
    let type = CollectionType.named[property.type.name]!
    let all = Accessor.allCases.filter { $0.isOrdered == type.isOrdered }
    let chosen =
      names.isEmpty ? all : all.filter { kind in names.contains { $0.text == kind.rawValue } }
    let world = Unowned(self)
    for accessor in chosen {
      let selector = RuntimeSelector(property.declaration.selector(accessor.pattern))
      try builder.method(selector, accessor.encoding) { call -> Void in
        do throws(KeyValueError) {
          let collection = try changeableCollection(of: property, type, in: call.receiver)
          try ChangeableCollection(collection).perform(accessor.change(by: call.arguments))
        } catch {
          world.object.recorder.record(error)
        }
      }
    }
  }
}

/// The collection in the property's ivar, made if there is none, copied if it cannot change.
private func changeableCollection(
  of property: Symbols.Property, _ type: CollectionType, in object: RuntimeObject
) throws(KeyValueError) -> RuntimeObject {
  let ivar = property.declaration.ivarName!
  let collection = object.ivar(named: ivar)
  if let known = collection?.object, known.isMutableCollection { return known }
  let elements = collection?.elements ?? []
  let kind = collection?.object.flatMap(CollectionType.Kind.init) ?? type.kind
  let made = CollectionType(kind: kind, isMutable: true).collection(of: elements)
  try object.poke(ivar: ivar, made)
  return made.object!
}

extension Accessor {
  private static let indexes = "^{kvc_index_set=}"

  fileprivate var encoding: RuntimeTypeEncoding {
    switch self {
    case .insert: "v@:@Q"
    case .remove: "v@:Q"
    case .replace: "v@:Q@"
    case .insertMany: RuntimeTypeEncoding("v@:@" + Accessor.indexes)
    case .removeMany: RuntimeTypeEncoding("v@:" + Accessor.indexes)
    case .replaceMany: RuntimeTypeEncoding("v@:" + Accessor.indexes + "@")
    case .add, .removeObject, .union, .minus, .intersect: "v@:@"
    }
  }

  /// The change that the method is called for.
  fileprivate func change(by arguments: [RuntimeValue]) -> ChangeableCollection.Change {
    func number(_ index: Int) -> Int { arguments[index].uint.map { Int(bitPattern: $0) } ?? 0 }
    func elements(_ index: Int) -> [RuntimeValue] { arguments[index].elements ?? [] }
    func indexes(_ index: Int) -> [Int] { Indexes.list(at: arguments[index].address) }
    return switch self {
    case .insert: .insert(arguments[0], at: number(1))
    case .remove: .remove(at: number(0))
    case .replace: .replace(at: number(0), with: arguments[1])
    case .insertMany: .insertMany(elements(0), at: indexes(1))
    case .removeMany: .removeMany(at: indexes(0))
    case .replaceMany: .replaceMany(at: indexes(0), with: elements(1))
    case .add: .add(arguments[0])
    case .removeObject: .removeObject(arguments[0])
    case .union: .union(elements(0))
    case .minus: .minus(elements(0))
    case .intersect: .intersect(elements(0))
    }
  }
}
