import IsaKVO
import IsaKVOTestModels
import IsaRuntime
import Observation

/// Has a getter of any kind, and a class for each, since a class knows what its properties read.
private final class Reader<Kind>: KVObject {
  @Dynamic var leaf: Leaf
  @Dynamic var lines: [Leaf]
  @Dynamic var group: Set<Leaf>
  @Dynamic var factor = 1
  @WeakDynamic var friend: Leaf?
  /// Nobody is told of it.
  var plain = 0
  weak var weakest: Leaf?
  unowned let neighbour: Leaf
  let other: Leaf
  private let read: (Reader) -> Int

  init(_ leaves: [Leaf], _ read: @escaping (Reader) -> Int) {
    (leaf, other, neighbour) = (leaves[0], leaves[0], leaves[0])
    (lines, group, self.read) = (leaves, Set(leaves), read)
    super.init()
    (weakest, friend) = (leaves[0], leaves[0])
  }

  var total: Int { read(self) * factor + plain }
  /// Reads no property of its own.
  var bare: Int { read(self) }
}

/// An object that leads to others.
private final class Shelf: KVObject {
  @Dynamic var leaf: Leaf?
  @Dynamic var leaves: [Leaf] = []
}

/// Has its leaf by a property that Observation tells of.
@Observable
private final class Observed {
  var leaf: Leaf?
}

private final class Owner<Kind>: KVObject {
  @Dynamic var reader: Reader<Kind>?
  init(_ reader: Reader<Kind>) { self.reader = reader }
}

/// Objects that every getter reaches.
private final class Globals {
  var leaf: Leaf?
  weak var weakest: Leaf?
  let shelf = Shelf()
}

// One of each for each lane.
nonisolated(unsafe) private let globals = [Globals(), Globals()]

@inline(never)
private func lent(_ lane: Int) -> Leaf { globals[lane].leaf! }

@inline(never)
private func found(_ lane: Int) -> Shelf? { globals[lane].shelf }

private enum Global {}
private enum Function {}
private enum Singleton {}
private enum SingletonList {}
private enum WeakGlobal {}
private enum WeakStored {}
private enum WeakWrapped {}
private enum Constant {}
private enum UnownedConstant {}
private enum Captured {}
private enum Chosen {}
private enum Chained {}
private enum TemporaryReader {}
private enum TemporaryLeaf {}
private enum TemporaryHolder {}
private enum Foreign {}
private enum ByKey {}
private enum ByKeyPath {}
private enum ByLongPath {}
private enum SumByName {}
private enum MaximumByName {}
private enum CountByName {}
private enum ValuesByKeys {}
private enum ProxyCount {}
private enum ProxySubscript {}
private enum ProxyIteration {}
private enum NamedProxy {}
private enum SetProxyCount {}
private enum SetProxyIteration {}
private enum NamedSetProxy {}

extension SwiftWorld {
  private static func reader<Kind>(
    _ kind: Kind.Type, _ read: @escaping (SwiftWorld, Reader<Kind>) -> Int,
    point: ((SwiftWorld, Reader<Kind>, [Leaf]) -> Void)? = { $1.leaf = $2[0] },
    prepare: ((SwiftWorld) -> Void)? = nil
  ) -> Maker {
    (
      "\(kind)",
      { world in
        prepare?(world)
        var site = world.reader(kind, read, point)
        // Another object's property is changed.
        if prepare != nil { site.object = nil }
        return site
      }
    )
  }

  private func reader<Kind>(
    _ kind: Kind.Type, _ read: @escaping (SwiftWorld, Reader<Kind>) -> Int,
    _ point: ((SwiftWorld, Reader<Kind>, [Leaf]) -> Void)?
  ) -> Site {
    let reader = Reader<Kind>([leaves[0]]) { [unowned self] in read(self, $0) },
      owner = Owner(reader)
    var site = Site(
      name: "\(kind)",
      forms: [
        Form(reader, \.total, "computed"), Form(reader, \.bare, "nothing of its own"),
        Form(owner, \.reader!.total, "behind an object"),
      ], object: reader)
    site.sets = [{ reader.factor = $0 }, { try reader.setValue($0, forKey: "factor") }]
    site.poke = { reader.plain = $0 }
    if let point { site.point = { [unowned self] in point(self, reader, some($0)) } }
    return site
  }

  // MARK: References

  static var references: [Maker] {
    [
      reader(Global.self, { world, _ in globals[world.lane].leaf!.size }, point: nil) {
        globals[$0.lane].leaf = $0.leaves[1]
      },
      reader(Function.self, { world, _ in lent(world.lane).both }, point: nil) {
        globals[$0.lane].leaf = $0.leaves[1]
      },
      reader(
        Singleton.self, { world, _ in found(world.lane)?.leaf?.size ?? 0 },
        point: { world, _, leaves in globals[world.lane].shelf.leaf = leaves[0] }
      ) { globals[$0.lane].shelf.leaf = $0.leaves[1] },
      reader(
        SingletonList.self, { world, _ in Leaf.sum(globals[world.lane].shelf.leaves) },
        point: { world, _, leaves in globals[world.lane].shelf.leaves = leaves }
      ) { globals[$0.lane].shelf.leaves = [$0.leaves[1]] },
      reader(WeakGlobal.self, { world, _ in globals[world.lane].weakest?.size ?? 0 }, point: nil) {
        globals[$0.lane].weakest = $0.leaves[1]
      },
      reader(WeakStored.self, { $1.weakest?.size ?? 0 }, point: nil),
      reader(WeakWrapped.self, { $1.friend?.size ?? 0 }, point: { $1.friend = $2[0] }),
      reader(Constant.self, { $1.other.both }, point: nil),
      reader(UnownedConstant.self, { $1.neighbour.size }, point: nil),
      reader(Captured.self, { world, _ in world.leaves[1].size }, point: nil),
      reader(Chosen.self, { $1.leaf.size > 3 ? $0.leaves[1].size : $1.lines[0].size }),
      reader(Chained.self, { $1.leaf.next?.next?.size ?? $1.leaf.next?.size ?? 0 }),
    ]
  }

  // MARK: Temporaries

  static var temporaries: [Maker] {
    [
      reader(
        TemporaryReader.self,
        { _, reader in
          Reader<Captured>([reader.leaf], { $0.leaf.size }).total
        }),
      reader(
        TemporaryLeaf.self,
        { _, reader in
          let leaf = Leaf()
          leaf.size = reader.leaf.size
          return leaf.size
        }),
      reader(
        TemporaryHolder.self,
        { _, reader in
          reader.lines.reduce(0) { sum, leaf in
            let shelf = Shelf()
            shelf.leaf = leaf
            return sum + shelf.leaf!.size
          }
        }, point: { $1.lines = $2 }),
      foreign,
    ]
  }

  private static var foreign: Maker {
    (
      "Foreign",
      { world in
        let model = Observed()
        model.leaf = world.leaves[1]
        var site = world.reader(
          Foreign.self, { _, _ in model.leaf?.size ?? 0 }, { model.leaf = $2[0] })
        site.object = nil
        return site
      }
    )
  }

  /// Lets go of what the globals of a lane hold.
  static func clear(lane: Int) {
    globals[lane].leaf = nil
    globals[lane].shelf.leaf = nil
    globals[lane].shelf.leaves = []
  }

  // MARK: Names

  static var names: [Maker] {
    [
      reader(
        ByKey.self,
        { _, reader in
          (try? reader.leaf.value(forKey: "size") as? Int) ?? 0
        }),
      reader(
        ByKeyPath.self,
        { _, reader in
          (try? reader.value(forKeyPath: "leaf.size") as? Int) ?? 0
        }),
      reader(
        ByLongPath.self,
        { _, reader in
          (try? reader.value(forKeyPath: "leaf.next.size") as? Int) ?? 0
        }),
      reader(
        SumByName.self,
        { _, reader in
          Int((try? reader.value(forKeyPath: "lines.@sum.size") as? Double) ?? 0)
        }, point: { $1.lines = $2 }),
      reader(
        MaximumByName.self,
        { _, reader in
          (try? reader.value(forKeyPath: "lines.@max.size") as? Int) ?? 0
        }, point: { $1.lines = $2 }),
      reader(
        CountByName.self,
        { _, reader in
          (try? reader.value(forKeyPath: "lines.@count") as? Int) ?? 0
        }, point: { $1.lines = $2 }),
      reader(
        ValuesByKeys.self,
        { _, reader in
          (try? reader.leaf.dictionaryWithValues(forKeys: ["size"])["size"] as? Int) ?? 0
        }),
    ]
  }

  // MARK: Proxies

  static var proxies: [Maker] {
    [
      reader(
        ProxyCount.self, { $1.mutableArrayValue(for: \.lines).count }, point: { $1.lines = $2 }),
      reader(
        ProxySubscript.self, { $1.mutableArrayValue(for: \.lines)[0].size },
        point: {
          $1.lines = $2
        }),
      reader(
        ProxyIteration.self, { Leaf.sum($1.mutableArrayValue(for: \.lines)) },
        point: {
          $1.lines = $2
        }),
      reader(
        NamedProxy.self,
        { _, reader in
          (try? reader.mutableArrayValue(forKey: "lines").count) ?? 0
        }, point: { $1.lines = $2 }),
      reader(
        SetProxyCount.self, { $1.mutableSetValue(for: \.group).count },
        point: {
          $1.group = Set($2)
        }),
      reader(
        SetProxyIteration.self, { Leaf.sum($1.mutableSetValue(for: \.group)) },
        point: {
          $1.group = Set($2)
        }),
      reader(
        NamedSetProxy.self,
        { _, reader in
          (try? reader.mutableSetValue(forKey: "group").count) ?? 0
        }, point: { $1.group = Set($2) }),
    ]
  }
}
