// The plant: its machines, which come and go, and what it computes from them.
public import IsaKVO

/// The whole plant.
public final class Plant: KVObject, MainActorObject {
  /// A name for people.
  @Dynamic public var name: String
  /// Whether anything goes on.
  @Dynamic public var isRunning = true
  /// The machines, in the order in which they came.
  @Dynamic public private(set) var machines: [Machine] = []
  /// Those who follow the plant at this moment.
  @Dynamic public private(set) var browsers = 0

  /// Bottles a minute, of all machines.
  public var output: Double { machines.reduce(0) { $0 + $1.speed } }
  /// The machines that are too hot.
  public var alarms: Int { machines.count { $0.state == .hot } }

  private var lastID = 0
  /// The place of the machine that fills the next bottle out of turn.
  private var next = 0

  /// A plant with machines of the given names.
  public init(_ name: String, machines names: [String] = []) throws(Refusal) {
    self.name = name
    super.init()
    for name in names { try add(name) }
  }

  public override class var keys: [KeyDeclaration] {
    [.key("name", \Plant.name, validate: { _, name in name = try properName(name) })]
  }

  /// The machine of a number, if it is there.
  public func machine(_ id: Int) -> Machine? { machines.first { $0.id == id } }

  /// Puts a new machine at the end.
  @discardableResult
  public func add(_ name: String) throws(Refusal) -> Machine {
    let machine = Machine(lastID + 1, try properName(name))
    lastID += 1
    mutableArrayValue(for: \.machines).append(machine)
    return machine
  }

  /// Takes a machine away. All that follows it ends, since nobody else holds it.
  public func remove(_ id: Int) throws(Refusal) {
    guard let place = machines.firstIndex(where: { $0.id == id }) else {
      throw Refusal("There is no machine \(id).", isUnknown: true)
    }
    mutableArrayValue(for: \.machines).remove(at: place)
  }

  /// Brings all machines on by `seconds`, if the plant is running.
  public func work(for seconds: Double) {
    guard isRunning else { return }
    // Its output is told once, though every speed has changed.
    KVObject.transaction {
      for machine in machines { machine.work(for: seconds) }
    }
  }

  /// Fills as many bottles by all machines in turn, each a change of its own, if the plant is running.
  public func rush(_ bottles: Int) {
    guard isRunning, !machines.isEmpty else { return }
    for _ in 0..<bottles {
      next = (next + 1) % machines.count
      machines[next].fill()
    }
  }

  /// Counts one who follows the plant while `body` runs.
  public nonisolated func counted<Result>(
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    await add(browsers: 1)
    do {
      let result = try await body()
      await add(browsers: -1)
      return result
    } catch {
      await add(browsers: -1)
      throw error
    }
  }

  private func add(browsers: Int) { self.browsers += browsers }
}
