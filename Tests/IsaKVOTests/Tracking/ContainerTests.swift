import IsaKVO
import IsaKVOTestModels
import IsaKVOTestSupport
import Testing

/// Objects behind an object of which a computed property reads them by a container.
private final class Scene<Content> {
  let first = Leaf(), second = Leaf()
  let holder: Holder<Content>
  let told = Recorder<Int>()

  init(_ container: Container<Content>) { holder = Holder(container, [first]) }

  /// Changes the object that is held, the container, and the other object that it then holds.
  ///
  /// - Returns: The value behind each change, of which an observer is told once.
  func change() -> [Int] {
    var values: [Int] = []
    for change in [
      { self.first.size = 5 }, { self.holder.content = self.holder.container.make([self.second]) },
      { self.second.size = 7 },
    ] {
      change()
      values.append(holder.total)
    }
    return values
  }
}

/// A change of an object is heard in any value that holds it.
@Suite(.serialized, .leavesNoObjects)
struct ContainerTests {
  @Test("a computed property tells of an object, whatever holds it", arguments: containers)
  func computed(kind: any AnyContainer) {
    func test<Kind: AnyContainer>(_ kind: Kind) {
      let scene = Scene(kind.container)
      let token = scene.holder.observe(\.total, options: .new) { scene.told.add($1.newValue!) }
      #expect(scene.change() == scene.told.all)
      token.invalidate()
    }
    test(kind)
  }

  @Test("a key path that leads on from what holds an object tells of it", arguments: containers)
  func typed(kind: any AnyContainer) {
    func test<Kind: AnyContainer>(_ kind: Kind) {
      guard let rest = kind.container.path else { return }
      let scene = Scene(kind.container)
      let keyPath = (\Holder<Kind.Content>.content).appending(path: rest)
      let token = scene.holder.observe(keyPath, options: .new) { scene.told.add($1.newValue!) }
      #expect(scene.change() == scene.told.all)
      token.invalidate()
    }
    test(kind)
  }

  @Test("the old value is told too, whatever holds the object", arguments: containers)
  func old(kind: any AnyContainer) {
    func test<Kind: AnyContainer>(_ kind: Kind) {
      let scene = Scene(kind.container), before = scene.holder.total
      let token = scene.holder.observe(\.total, options: [.old, .new]) {
        scene.told.add($1.oldValue!)
      }
      #expect([before] + scene.change().dropLast() == scene.told.all)
      token.invalidate()
    }
    test(kind)
  }

  @Test("a lazy property tells of an object, whatever holds it", arguments: containers)
  func lazy(kind: any AnyContainer) {
    func test<Kind: AnyContainer>(_ kind: Kind) {
      let leaf = Leaf(), holder = LazyHolder(kind.container, [leaf]), told = Recorder<Int>()
      let token = holder.observe(\.total, options: .new) { told.add($1.newValue!) }
      leaf.size = 5
      #expect(told.all == [holder.total])
      token.invalidate()
      withExtendedLifetime(leaf) {}
    }
    test(kind)
  }

  @Test("a constant tells of an object, whatever holds it", arguments: containers)
  func constant(kind: any AnyContainer) {
    func test<Kind: AnyContainer>(_ kind: Kind) {
      let leaf = Leaf(), holder = FixedHolder(kind.container, [leaf]), told = Recorder<Int>()
      let token = holder.observe(\.total, options: .new) { told.add($1.newValue!) }
      #expect(token.isValid)
      leaf.size = 5
      #expect(told.all == [holder.total])
      token.invalidate()
      withExtendedLifetime(leaf) {}
    }
    test(kind)
  }

  @Test(
    "an observer of any of several key paths hears an object, whatever holds it",
    arguments: containers)
  func several(kind: any AnyContainer) {
    func test<Kind: AnyContainer>(_ kind: Kind) {
      let scene = Scene(kind.container)
      let token = scene.holder.observe(anyOf: [\.total]) { holder, _ in
        scene.told.add(holder.total)
      }
      #expect(scene.change() == scene.told.all)
      token.invalidate()
    }
    test(kind)
  }

  @Test("observers that wait for values hear an object, whatever holds it", arguments: containers)
  func sequence(kind: any AnyContainer) async {
    func test<Kind: AnyContainer>(_ kind: Kind) async {
      let scene = Scene(kind.container), before = scene.holder.total
      let values = scene.holder.values(of: \.total, bufferingPolicy: .unbounded)
      let expected = [before] + scene.change(), told = Recorder<Int>()
      let task = Task { for await value in values { told.add(value) } }
      let end = ContinuousClock.now + .seconds(1)
      while told.count < expected.count, ContinuousClock.now < end { await Task.yield() }
      #expect(told.all == expected)
      task.cancel()
      await task.value
      withExtendedLifetime(scene) {}
    }
    await test(kind)
  }

  @Test(
    "an observer in a transaction is told once, whatever holds the object", arguments: containers)
  func transaction(kind: any AnyContainer) {
    func test<Kind: AnyContainer>(_ kind: Kind) {
      let scene = Scene(kind.container)
      let token = scene.holder.observe(\.total, options: .new) { scene.told.add($1.newValue!) }
      KVObject.transaction { for size in [5, 6] { scene.first.size = size } }
      #expect(scene.told.all == [scene.holder.total])
      token.invalidate()
      withExtendedLifetime(scene) {}
    }
    test(kind)
  }
}

// MARK: - Declared paths

private enum Load {
  case idle
  case loaded(Leaf)

  var leaf: Leaf? { if case .loaded(let leaf) = self { leaf } else { nil } }
}

/// Has declared keys that depend on what typed key paths lead to, through values that are no objects.
private final class Page: KVObject {
  @Dynamic var load: Load
  @Dynamic var leaves: [Leaf]
  @Dynamic var named: [String: Leaf]
  @Dynamic var pair: (Leaf, Int)

  init(_ leaf: Leaf) {
    (load, leaves, named, pair) = (.loaded(leaf), [leaf], ["a": leaf], (leaf, 1))
  }

  var loaded: Int { load.leaf?.size ?? 0 }
  var listed: Int { leaves[0].size }
  var known: Int { named["a"]?.size ?? 0 }
  var paired: Int { pair.0.size }
  var twice: Int { 2 * listed }

  override class var keys: [KeyDeclaration] {
    [
      .key("loaded", \Page.loaded, affectedBy: [\Page.load.leaf?.size]),
      .key("listed", \Page.listed, affectedBy: [\Page.leaves[0].size]),
      .key("known", \Page.known, affectedBy: [\Page.named["a"]?.size]),
      .key("paired", \Page.paired, affectedBy: [\Page.pair.0.size]),
      .key("twice", \Page.twice, affectedBy: [\Page.listed]),
    ]
  }
}

extension ContainerTests {
  @Test(
    "a declared key hears what the declared key path leads to, through an enum or a collection",
    arguments: ["loaded", "listed", "known", "paired", "twice"])
  func declared(key: String) throws {
    let leaf = Leaf(), page = Page(leaf), told = Recorder<Int>()
    let token = try page.observe(key, as: Int.self, options: .new) { told.add($1.newValue!) }
    leaf.size = 5
    #expect(told.all == [key == "twice" ? 10 : 5])
    token.invalidate()
  }
}
