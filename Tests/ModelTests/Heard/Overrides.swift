import IsaKVO
import IsaKVOTestModels
import IsaRuntime

/// Has wrapped properties that subclasses override; a class for each kind.
private class Gauge<Kind>: KVObject {
  @Dynamic var size = 1
  @LazyDynamic var lazySize = 1
  @Dynamic var source: Leaf
  var twice: Int { size * 2 }
  var either: Int { size + lazySize }

  required init(_ leaf: Leaf) { source = leaf }
}

private final class GaugeOwner<Object: KVObject>: KVObject {
  @Dynamic var gauge: Object
  init(_ gauge: Object) { self.gauge = gauge }
}

private enum WithoutSuperKind {}
private enum SuperKind {}
private enum SuperAndMoreKind {}
private enum SetterElsewhereKind {}
private enum SetterOfBothKind {}
private enum ComputedSourceKind {}
private enum PlainBehindKind {}
private enum ObserverKind {}
private enum LazyKind {}
private enum TwiceOverriddenKind {}
private enum TwiceWithoutSuperKind {}
private enum ByNameKind {}

private final class WithoutSuper: Gauge<WithoutSuperKind> {
  override var size: Int {
    get { source.size }
    set { source.size = newValue }
  }
}

private final class Super: Gauge<SuperKind> {
  override var size: Int {
    get { super.size + 100 }
    set { super.size = newValue }
  }
}

private final class SuperAndMore: Gauge<SuperAndMoreKind> {
  override var size: Int {
    get { super.size + source.size }
    set { super.size = newValue }
  }
}

/// Sets what its getter reads beside the storage.
private final class SetterElsewhere: Gauge<SetterElsewhereKind> {
  override var size: Int {
    get { super.size + source.size }
    set { source.size = newValue }
  }
}

private final class SetterOfBoth: Gauge<SetterOfBothKind> {
  override var size: Int {
    get { super.size + 1 }
    set {
      source.size = newValue
      super.size = newValue
    }
  }
}

private final class ComputedSource: Gauge<ComputedSourceKind> {
  override var size: Int {
    get { source.both }
    set { source.size = newValue }
  }
}

private final class PlainBehind: Gauge<PlainBehindKind> {
  private var stored = 7
  override var size: Int {
    get { stored + source.size }
    set { stored = newValue }
  }
}

private final class Observing: Gauge<ObserverKind> {
  override var size: Int {
    didSet { source.next = nil }
  }
}

private final class Lazy: Gauge<LazyKind> {
  override var lazySize: Int {
    get { source.size }
    set { source.size = newValue }
  }
}

private class Once: Gauge<TwiceOverriddenKind> {
  override var size: Int {
    get { super.size + source.size }
    set { super.size = newValue }
  }
}

private final class TwiceOverridden: Once {
  override var size: Int {
    get { super.size * 2 }
    set { super.size = newValue }
  }
}

private class OnceWithoutSuper: Gauge<TwiceWithoutSuperKind> {
  override var size: Int {
    get { source.size }
    set { source.size = newValue }
  }
}

private final class TwiceWithoutSuper: OnceWithoutSuper {
  override var size: Int {
    get { super.size * 2 }
    set { super.size = newValue }
  }
}

private final class ByName: Gauge<ByNameKind> {
  override var size: Int {
    get { (try? source.value(forKey: "size") as? Int) ?? 0 }
    set { source.size = newValue }
  }
}

extension SwiftWorld {
  nonisolated(unsafe) static let overrides: [Maker] = [
    over("override without super", WithoutSuper.self), over("override by super", Super.self),
    over("override by super and more", SuperAndMore.self),
    over("override that sets another", SetterElsewhere.self),
    over("override that sets both", SetterOfBoth.self, writes: 2),
    over("override of a computed source", ComputedSource.self),
    over("override with plain storage", PlainBehind.self, isPlain: true),
    over("override with an observer", Observing.self, writes: 2),
    over("override twice", TwiceOverridden.self),
    over("override twice without super", TwiceWithoutSuper.self),
    over("override by name", ByName.self), lazyOverride,
  ]

  private static func over<Kind, Object: Gauge<Kind>>(
    _ name: String, _ type: Object.Type, isPlain: Bool = false, writes: Int = 1
  ) -> Maker {
    (
      name,
      { world in
        let gauge = type.init(world.leaves[0]), owner = GaugeOwner(gauge)
        let base = GaugeOwner(gauge as Gauge<Kind>)
        var site = world.site(of: gauge, name)
        site.writes = writes
        site.forms = [
          Form(gauge, \.size, "typed"), Form(gauge as Gauge<Kind>, \.size, "as the superclass"),
          Form(gauge as Gauge<Kind>, \.twice, "computed"), Form(owner, \.gauge.size, "behind"),
          Form(base, \.gauge.size, "behind, as the superclass"),
          Form(gauge, "size") { gauge.size }, Form(owner, "gauge.size") { gauge.size },
        ]
        // Another getter that reads the plain storage is not told of the key.
        if isPlain { site.forms.removeAll { $0.name == "computed" } }
        if isPlain { site.poke = { gauge.size = $0 } } else { site.sets = [{ gauge.size = $0 }] }
        site.sets += [
          { try gauge.setValue($0, forKey: "size") },
          { try owner.setValue($0, forKeyPath: "gauge.size") },
        ]
        return site
      }
    )
  }

  private static var lazyOverride: Maker {
    (
      "override of a lazy one",
      { world in
        let gauge = Lazy(world.leaves[0])
        var site = world.site(of: gauge, "override of a lazy one")
        site.forms = [
          Form(gauge, \.lazySize, "typed"),
          Form(gauge as Gauge<LazyKind>, \.lazySize, "as the superclass"),
          Form(gauge, \.either, "computed"), Form(gauge, "lazySize") { gauge.lazySize },
        ]
        site.sets = [{ gauge.lazySize = $0 }, { try gauge.setValue($0, forKey: "lazySize") }]
        return site
      }
    )
  }

  private func site<Kind>(of gauge: Gauge<Kind>, _ name: String) -> Site {
    Site(
      name: name, forms: [], point: { [unowned self] in gauge.source = leaves[$0[0]] },
      object: gauge)
  }
}

// MARK: - Declarations

/// Says by typed key paths what a declared property depends on. A class for each tag, since a class
/// is asked once.
private class Described<Tag>: KVObject, KeyValueCustomization {
  @Dynamic var source: Leaf
  required init(_ leaf: Leaf) { source = leaf }
  var size: Int { source.size }
  override class var keys: [KeyDeclaration] { [.key("size", \Described.size)] }

  static func keyPathsAffectingValue(for key: AnyKeyPath) -> Set<AnyKeyPath> {
    key == \Described.size ? [\Described.source.size] : []
  }
  static func automaticallyNotifiesObservers(for key: AnyKeyPath) -> Bool { true }
}

private final class DescribedSub<Tag>: Described<Tag> {}

/// Declares a computed property, which a subclass overrides.
private class Declared<Tag>: KVObject {
  @Dynamic var source: Leaf
  @Dynamic var other = 1
  required init(_ leaf: Leaf) { source = leaf }
  var size: Int { other }
  override class var keys: [KeyDeclaration] {
    [.key("size", \Declared.size, affectedBy: [\Declared.other])]
  }
}

private final class DeclaredSub<Tag>: Declared<Tag> {
  override var size: Int { source.size }
}

private enum Tag {}

extension SwiftWorld {
  nonisolated(unsafe) static let described = described(Tag.self, more: 11)
  nonisolated(unsafe) static let declared = [declared(Tag.self)]

  /// A class is asked once: there are many, so that one or another is first observed as either type.
  private static func described<Tag>(_ tag: Tag.Type, more: Int) -> [Maker] {
    let name = "declaration by typed key paths \(more)"
    let maker: Maker = (
      name,
      { world in
        let object = DescribedSub<Tag>(world.leaves[0])
        return Site(
          name: name,
          forms: [
            Form(object, \.size, "typed"),
            Form(object as Described<Tag>, \.size, "as the superclass"),
          ], point: { [unowned world] in object.source = world.leaves[$0[0]] }, object: object)
      }
    )
    return [maker] + (more > 0 ? described([Tag].self, more: more - 1) : [])
  }

  private static func declared<Tag>(_ tag: Tag.Type) -> Maker {
    let name = "declared property overridden"
    return (
      name,
      { world in
        let object = DeclaredSub<Tag>(world.leaves[0])
        return Site(
          name: name,
          forms: [
            Form(object, \.size, "typed"),
            Form(object as Declared<Tag>, \.size, "as the superclass"),
          ], sets: [{ object.other = $0 }],
          point: { [unowned world] in object.source = world.leaves[$0[0]] }, object: object)
      }
    )
  }
}
