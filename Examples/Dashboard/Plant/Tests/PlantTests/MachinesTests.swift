import IsaKVO
import Plant
import Testing

@MainActor
@Suite("The plant")
struct MachinesTests {
  let plant: Plant

  init() throws { plant = try Plant("Works", machines: ["One", "Two"]) }

  @Test("what is computed from all machines is told once for a turn of work")
  func computed() {
    var told: [Double] = []
    let output = plant.observe(\.output, options: .new) { _, change in
      told.append(change.newValue ?? -1)
    }
    plant.work(for: 1)
    #expect(told == [120])
    output.invalidate()
  }

  @Test("a machine that is too hot raises an alarm, and its limit may be set")
  func alarms() throws {
    var told: [Int] = []
    let alarms = plant.observe(\.alarms, options: .new) { _, change in
      told.append(change.newValue ?? -1)
    }
    for _ in 0..<100 { plant.work(for: 1) }
    #expect(plant.alarms == 0)
    try plant.set("settings.limit", ofMachine: 1, to: .number(40))
    #expect(plant.machine(1)?.state == .hot)
    #expect(told.last == 1)
    try plant.set("isOn", ofMachine: 1, to: .truth(false))
    #expect(plant.machine(1)?.state == .off)
    #expect(told.last == 0)
    alarms.invalidate()
  }

  @Test("machines that come and go are told by their places")
  func toMany() throws {
    var told: [String] = []
    let machines = plant.observe(\.machines, options: [.old, .new]) { _, change in
      told.append("\(change.kind) \(Array(change.indexes ?? []))")
    }
    try plant.add("Three")
    try plant.remove(1)
    #expect(told == ["insertion [2]", "removal [0]"])
    #expect(plant.machines.map(\.name) == ["Two", "Three"])
    machines.invalidate()
  }

  @Test("bottles out of turn are filled by all machines, one change each")
  func fills() {
    var told = 0
    let tokens = plant.machines.map { machine in machine.observe(\.bottles) { _, _ in told += 1 } }
    plant.rush(7)
    #expect(told == 7)
    #expect(plant.machines.map(\.bottles) == [3, 4])
    tokens.forEach { $0.invalidate() }
  }

  @Test("a plant that is not running does nothing")
  func stands() {
    plant.isRunning = false
    plant.work(for: 1)
    plant.rush(7)
    #expect(plant.output == 0)
    #expect(plant.machines.allSatisfy { $0.bottles == 0 })
  }
}

@MainActor
@Suite("What is told elsewhere")
struct LinesTests {
  let plant: Plant

  init() throws { plant = try Plant("Works", machines: ["One"]) }

  @Test("a property begins with its current value, and its lines say whose it is")
  func begins() async throws {
    let machine = try #require(plant.machine(1))
    var first: Set<String> = []
    for lines in plant.lines(.newest) + machine.lines(.newest) {
      for await line in lines {
        first.insert(line)
        break
      }
    }
    #expect(first.count == 13)
    #expect(first.contains(#"{"key":"name","value":"Works"}"#))
    #expect(first.contains { $0.contains(#""key":"settings.target""#) && $0.contains("60") })
    #expect(first.allSatisfy { $0.contains(#""machine":1"#) || !$0.contains("settings") })
  }

  @Test("a slow reader gets the newest value, or every one", arguments: [Buffering.newest, .every])
  func buffers(buffering: Buffering) async throws {
    let browsers = plant.lines(buffering)[0]
    for name in ["A", "B", "C"] { try plant.set("name", to: .text(name)) }
    var heard: [String] = []
    for await line in browsers {
      heard.append(String(line.dropLast(2).suffix(1)))
      if heard.last == "C" { break }
    }
    #expect(heard == (buffering == .newest ? ["C"] : ["s", "A", "B", "C"]))
  }

  @Test("the lines of a machine that goes come to their end")
  func ends() async throws {
    let lines = try #require(plant.machine(1)).lines(.newest)
    try plant.remove(1)
    for sequence in lines {
      var count = 0
      for await _ in sequence { count += 1 }
      #expect(count == 1)
    }
  }

  @Test("those who follow are counted while they do")
  nonisolated func counts() async {
    let during = await plant.counted { await plant.browsers }
    #expect(during == 1)
    #expect(await plant.browsers == 0)
  }
}
