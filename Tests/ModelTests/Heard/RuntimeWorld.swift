import IsaKVO
import IsaRuntime

/// Objects of classes made at run time. They have no key paths to evaluate: a computed property
/// declares what it depends on.
final class RuntimeWorld: World {
  private let leaves: [RuntimeObject]

  init(leaves: Int, lane: Int) {
    self.leaves = (0..<leaves).map { _ in
      let leaf = made { try leafClass.allocate() }
      leaf.with { try $0.set("size", 1) }
      return leaf
    }
  }

  static var siteNames: [[String]] { [makers.map(\.name)] }

  func site(_ place: SitePlace) -> Site { Self.makers[place.number].make(self) }

  func object(_ leaf: Int) -> KVObject? { nil }

  func size(_ leaf: Int) -> Form { form(leaves[leaf], "size") }

  func setNext(_ leaf: Int, _ next: Int?) {
    leaves[leaf].with { try $0.set("next", RuntimeValue(next.map { leaves[$0] })) }
  }

  func setSize(_ leaf: Int, _ size: Int, _ way: Int) throws {
    let leaf = leaves[leaf]
    switch way % 3 {
    case 0: _ = try leaf.send("setSize:", arguments: [RuntimeValue(size)])
    case 1: try leaf.set("size", size)
    default:
      try leaf.willChangeValue(forKey: "size")
      try leaf.poke(ivar: "_size", RuntimeValue(size))
      try leaf.didChangeValue(forKey: "size")
    }
  }

  // MARK: Sites

  private typealias Maker = (name: String, make: (RuntimeWorld) -> Site)

  nonisolated(unsafe) private static let makers: [Maker] = [
    ("made at run time", { $0.reader() }),
    ("made at run time, overridden", { $0.gauge(gaugeClass) }),
    ("made at run time, overridden by super", { $0.gauge(superGaugeClass) }),
  ]

  private func reader() -> Site {
    let reader = made { try readerClass.allocate() }
    let point = { [unowned self] (numbers: [Int]) in
      reader.with { try $0.set("leaf", RuntimeValue(leaves[numbers[0]])) }
      reader.with { try $0.set("lines", .array(numbers.map { RuntimeValue(leaves[$0]) })) }
    }
    point([0, 1])
    let paths = [
      "total", "leaf.size", "leaf.both", "leaf.next.size", "leaf.next.both", "lines.@count",
    ]
    return Site(
      name: "made at run time", forms: paths.map { form(reader, $0) },
      sets: [{ try reader.set("factor", $0) }], point: point)
  }

  /// Inner changes of what an undeclared getter reads are nobody's to tell, so nothing reads a leaf.
  private func gauge(_ cls: RuntimeClass) -> Site {
    let gauge = made { try cls.allocate() }, owner = made { try readerClass.allocate() }
    owner.with { try $0.set("leaf", RuntimeValue(gauge)) }
    return Site(
      name: cls.name, forms: [form(gauge, "size"), form(gauge, "both"), form(owner, "leaf.size")],
      sets: [
        { _ = try gauge.send("setSize:", arguments: [RuntimeValue($0)]) },
        { try gauge.set("size", $0) },
      ])
  }

  private func form(_ root: RuntimeObject, _ path: String) -> Form {
    Form(
      name: "“\(path)”",
      observe: { options, told in
        nonisolated(unsafe) let told = told
        return try root.observe(path, options: options) { change in
          if change.isPrior { return }
          told(change.oldValue.map { $0.int ?? 0 }, change.newValue.map { $0.int ?? 0 })
        }
      }, value: { ((try? root.value(forKeyPath: path)) ?? .nilObject).int ?? 0 }, isTracked: false)
  }
}

extension RuntimeObject {
  fileprivate func with(_ body: (RuntimeObject) throws -> Void) {
    do { try body(self) } catch { fatalError("\(error)") }
  }
}

private func made<Made>(_ make: () throws -> Made) -> Made {
  do { return try make() } catch { fatalError("\(error)") }
}

private func number(_ object: RuntimeObject?, _ key: String) -> Int {
  guard let object else { return 0 }
  return ((try? object.value(forKey: key)) ?? .nilObject).int ?? 0
}

// For good, as classes of the language are.
private let leafClass = made {
  try RuntimeClassBuilder("HeardLeaf")
    .property("size", .int64).property("next", .object)
    .method("both", "q@:") { call in
      RuntimeValue(
        number(call.receiver, "size")
          + number((try? call.receiver.value(forKey: "next"))?.object, "size"))
    }
    .key("both", affectedBy: ["size", "next.size"])
    .register()
}

private let readerClass = made {
  try RuntimeClassBuilder("HeardReader")
    .property("leaf", .object).property("lines", .object).property("factor", .int64)
    .method("total", "q@:") { call in
      RuntimeValue(
        number(call.receiver, "factor")
          + number((try? call.receiver.value(forKey: "leaf"))?.object, "both"))
    }
    .key("total", affectedBy: ["leaf.both", "factor"])
    .register()
}

private let gaugeClass = made {
  try RuntimeClassBuilder("HeardGauge", superclass: leafClass)
    .ivar("_own", .int64)
    .method("size", "q@:") { call in call.receiver.ivar(named: "_own") ?? RuntimeValue(0) }
    .method("setSize:", "v@:q") { call in
      try? call.receiver.poke(ivar: "_own", call.arguments[0])
    }
    .register()
}

private let superGaugeClass = made {
  try RuntimeClassBuilder("HeardSuperGauge", superclass: leafClass)
    .method("size", "q@:") { call in RuntimeValue(((try? call.callSuper().int) ?? 0) + 100) }
    .register()
}
