import IsaKVO
import IsaKVOTestModels
import IsaRuntime

/// Objects of subclasses of `KVObject`.
class SwiftWorld: World {
  typealias Maker = (name: String, make: (SwiftWorld) -> Site)

  let leaves: [Leaf]
  /// Which of the globals are this program's: two programs may run at once.
  let lane: Int

  required init(leaves: Int, lane: Int) {
    self.leaves = (0..<leaves).map { _ in Leaf() }
    self.lane = lane
  }

  deinit { Self.clear(lane: lane) }

  static var siteNames: [[String]] { makers.map { $0.map(\.name) } }

  class var makers: [[Maker]] { all }

  nonisolated(unsafe) private static let all = [
    containers.map { held($0) }, containers.map { lazy($0) }, containers.map { fixed($0) },
    references + temporaries, names + proxies, overrides, declared,
  ]

  func site(_ place: SitePlace) -> Site {
    Self.makers[place.group][place.number].make(self)
  }

  func some(_ numbers: [Int]) -> [Leaf] { numbers.map { leaves[$0] } }

  func object(_ leaf: Int) -> KVObject? { leaves[leaf] }

  func size(_ leaf: Int) -> Form { Form(leaves[leaf], \.size) }

  func setNext(_ leaf: Int, _ next: Int?) { leaves[leaf].next = next.map { leaves[$0] } }

  func setSize(_ leaf: Int, _ size: Int, _ way: Int) throws {
    let leaf = leaves[leaf]
    switch way % 4 {
    case 0: leaf.size = size
    case 1: try leaf.setValue(size, forKey: "size")
    case 2: leaf.size += size - leaf.size
    default: leaf.withChange(of: \.size) { leaf.muting { leaf.size = size } }
    }
  }

  // MARK: Containers

  private static func held<Kind: AnyContainer>(_ kind: Kind) -> Maker {
    ("\(kind)", { $0.held(kind.container) })
  }

  private static func lazy<Kind: AnyContainer>(_ kind: Kind) -> Maker {
    ("lazy \(kind)", { $0.lazy(kind.container) })
  }

  private static func fixed<Kind: AnyContainer>(_ kind: Kind) -> Maker {
    ("constant \(kind)", { $0.fixed(kind.container) })
  }

  private func held<Content>(_ container: Container<Content>) -> Site {
    let holder = Holder(container, [leaves[0]]), outer = Outer(holder)
    var site = Site(
      name: "\(container)",
      forms: [Form(holder, \.total, "computed"), Form(outer, \.holder.total, "behind an object")])
    if let path = container.path {
      site.forms.append(Form(holder, (\Holder<Content>.content).appending(path: path), "typed"))
    }
    site.point = { [unowned self] in holder.content = container.make(some($0)) }
    site.object = holder
    return site
  }

  private func lazy<Content>(_ container: Container<Content>) -> Site {
    let holder = LazyHolder(container, [leaves[0]])
    return Site(
      name: "lazy \(container)", forms: [Form(holder, \.total, "computed")],
      point: { [unowned self] in holder.content = container.make(some($0)) }, object: holder)
  }

  private func fixed<Content>(_ container: Container<Content>) -> Site {
    let holder = FixedHolder(container, [leaves[0], leaves[1]])
    return Site(
      name: "constant \(container)", forms: [Form(holder, \.total, "computed")], object: holder)
  }
}

/// Objects of classes that say by typed key paths what their properties depend on: where there are any,
/// all that is observed in the process is evaluated more often.
final class DescribedWorld: SwiftWorld {
  override class var makers: [[Maker]] { [described] }
}

private final class Outer<Inner: KVObject>: KVObject {
  @Dynamic var holder: Inner
  init(_ holder: Inner) { self.holder = holder }
}
