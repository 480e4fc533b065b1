import Foundation
import Testing

@testable import isalab

@Suite("The message's way", .serialized, .oneAtATime)
struct LaneTests {
  typealias Kind = Lane.Station.Kind

  private static let person = """
    class Person {
      name: string
      age: int
      friend: Person
      label: string = join(name, "!") depends on (name)
    }
    let ada = Person()
    let bob = Person()
    """

  private func run(_ lines: String) throws -> Run {
    try GraphTests.run(lines: LaneTests.person + "\n" + lines)
  }

  private func lane(_ lines: String, _ language: Language = .english) throws -> Lane {
    let run = try run(lines)
    return Lane(run, at: run.steps.count, in: language)
  }

  @Test("an observed assignment has its stations in order, with the values that travel")
  func assignment() throws {
    let lane = try lane("observe ada.age options(old, new) as screen\nada.age = 36")
    let expected: [Kind] = [
      .sender, .object, .isa, .slot, .wrapper, .will, .old, .original, .ivar, .did, .new, .observer,
      .back,
    ]
    #expect(lane.stations.map(\.kind) == expected)
    #expect(lane.stations.allSatisfy { $0.depth == 0 })
    #expect(lane.stations.compactMap(\.value) == ["0", "36", "36", "0 → 36"])
    #expect(
      lane.stations.map(\.title) == [
        "the scenario", "ada", "NSKVONotifying_Person", "setAge:", "thunk[setAge:]", "will", "old",
        "original", "_age", "did", "new", "screen", "return",
      ])
    #expect(lane.stations[4].text.contains("compiled thunk"))
    #expect(lane.stations[6].text == "the old value of ada.age is read for one observer")
    #expect(
      lane.stations[3].text
        == "the place of setAge: in its dispatch table has thunk[setAge:], of NSKVONotifying_Person"
    )
  }

  @Test("a prior observer stands between will and the original, and is told apart")
  func prior() throws {
    let lane = try lane("observe ada.age options(prior, old, new) as screen\nada.age = 1")
    let kinds = lane.stations.map(\.kind)
    let prior = try #require(kinds.firstIndex(of: .prior))
    #expect(kinds[..<prior].contains(.will))
    #expect(!kinds[..<prior].contains(.original))
    #expect(lane.stations[prior].title == "screen")
  }

  @Test("where nobody observes, the method runs with nothing around it")
  func unobserved() throws {
    let lane = try lane("ada.age = 36")
    #expect(lane.stations.map(\.kind) == [.sender, .object, .isa, .slot, .method, .back])
    #expect(lane.stations[2].title == "Person")
    #expect(lane.stations[4].title == "-[Person setAge:]")
  }

  @Test("a setter whose argument nobody has a thunk for is wrapped by a libffi trampoline")
  func trampoline() throws {
    let lane = try lane("wrap libffi\nobserve bob.age as screen\nbob.age = 2")
    let wrapper = try #require(lane.stations.first { $0.kind == .wrapper })
    #expect(wrapper.title == "closure[setAge:]")
    #expect(wrapper.text.contains("libffi trampoline"))
  }

  @Test("a key path and a dependent key are branches that come back")
  func branches() throws {
    let lane = try lane(
      """
      ada.friend = bob
      observe ada.friend.age options(new) as screen
      bob.age = 7
      """)
    let forwarder = try #require(lane.stations.firstIndex { $0.kind == .forwarder })
    let told = try #require(lane.stations.firstIndex { $0.kind == .observer })
    #expect(lane.stations[forwarder].depth == 0)
    #expect(lane.stations[told].depth == 1)
    #expect(lane.stations.last?.kind == .back)
    #expect(lane.stations.last?.depth == 0)
    #expect(lane.end(of: told) == told + 1)
    #expect(lane.over(forwarder) == lane.end(of: told))

    let dependent = try self.lane("observe ada.label options(new) as screen\nada.name = \"Ada\"")
    let reached = dependent.stations.filter { $0.kind == .dependent }
    #expect(Set(reached.map(\.title)) == ["label"])
    #expect(reached.allSatisfy { $0.depth == 1 })
    #expect(dependent.stations.first { $0.kind == .new }?.value == "\"Ada!\"")
  }

  @Test("an observer that sends a message begins a way of its own, further in")
  func reaction() throws {
    let lane = try lane(
      """
      observe ada.age as screen
      when screen hears: bob.age = 5
      ada.age = 4
      """)
    let inner = lane.stations.filter { $0.depth == 1 }
    #expect(inner.first?.kind == .sender)
    #expect(inner.first?.title == "screen")
    #expect(inner.contains { $0.kind == .object && $0.title == "bob" })
  }

  @Test(
    "each example's ways begin and end outside, and fit every width",
    arguments: ScenarioTests.examples)
  func examples(_ name: String) throws {
    let run = try GraphTests.run(String(name.dropLast(4)))
    for step in 0...run.steps.count {
      for language in Language.allCases {
        let lane = Lane(run, at: step, in: language)
        #expect(lane.stations.allSatisfy { !$0.title.isEmpty && !$0.text.isEmpty })
        #expect(lane.stations.first.map(\.depth) ?? 0 == 0)
        for index in lane.stations.indices {
          #expect(lane.end(of: index) > index)
          #expect(lane.over(index) <= lane.end(of: index))
        }
        for width in [58, 78] {
          let text = LaneText(lane: lane, current: lane.stations.indices.last, width: width)
          for line in text.lines() {
            #expect(line.shown(ScreenLook()).columns <= width + 2, "\(name) \(step)")
          }
        }
      }
    }
  }

  @Test("in Chinese no word is English but names and the field's own")
  func chinese() throws {
    let lane = try lane("observe ada.age options(old, new) as screen\nada.age = 36", .chinese)
    #expect(lane.stations[0].title == "场景")
    #expect(lane.stations[6].text == "为 1 个观察者读取 ada.age 的旧值")
    #expect(lane.stations.allSatisfy { !$0.text.contains(" the ") })
  }

  @Test("the context that an observer gave stands at it, with the values")
  func context() throws {
    let lane = try lane("observe ada.age options(old, new) context 7 as screen\nada.age = 36")
    #expect(lane.stations.first { $0.kind == .observer }?.value == "0 → 36, context 7")
  }

  @Test("a branch stands between lines for the ways that wait for it")
  func rails() throws {
    let lane = try lane("observe ada.label options(new) as screen\nada.name = \"Ada\"")
    let lines = LaneText(lane: lane, width: 78).lines().map { $0.shown(ScreenLook()) }
    #expect(lines.contains { $0.hasPrefix("│ ↳ label") })
    #expect(lines.last?.hasPrefix("→ ") == true)
    let svg = LaneSVG(lane: lane, width: 800).group(at: 0)
    let root = try Element.parsed(
      svg.replacing("<g class=\"lane\"", with: "<g class=\"lane\" id=\"x\""))
    #expect(root.with(class: "branch").count == 2)
    #expect(!root.with(class: "rail").isEmpty)
  }

  @Test("a station lights what it is about: classes, the forwarder's edge, the dependent key's")
  func parts() throws {
    let plain = try lane("observe ada.age as screen\nada.age = 1")
    func parts(_ lane: Lane, _ kind: Kind) -> [String] {
      lane.stations.first { $0.kind == kind }?.parts ?? []
    }
    #expect(parts(plain, .wrapper) == ["obj#1", "class NSKVONotifying_Person"])
    #expect(parts(plain, .original) == ["obj#1", "class Person"])
    let path = try lane("ada.friend = bob\nobserve ada.friend.age as screen\nbob.age = 7")
    #expect(parts(path, .forwarder) == ["obj#2", "obj#1", "forwards obj#2 obj#1"])
    let dependent = try lane("observe ada.label as screen\nada.name = \"Ada\"")
    #expect(parts(dependent, .dependent) == ["obj#1", "depends obj#1 label"])
  }

  // MARK: In the terminal

  @Test("into, over, out and back go through an assignment in the terminal")
  func stepping() throws {
    let run = try run("observe ada.age options(old, new) as screen\nada.age = 36")
    let last = run.steps.count
    var stepper = Stepper()
    stepper.step = last
    let lane = Lane(run, at: last)
    for (index, station) in lane.stations.enumerated() {
      stepper.press(.character("s"), run)
      #expect(stepper.step == last)
      #expect(stepper.station == index)
      let lines = isalab.screen(run, stepper, ScreenSize(columns: 100, rows: 30))
      #expect(lines.contains { $0.contains("[\(station.title)") }, "\(station)")
      #expect(lines.contains { $0.contains(station.text) }, "\(station)")
    }
    stepper.press(.character("s"), run)
    #expect(stepper.station == nil)
    stepper.press(.character("u"), run)
    #expect(stepper.station == lane.stations.count - 1)
    stepper.press(.character("u"), run)
    stepper.press(.character("n"), run)
    #expect(stepper.station == lane.stations.count - 1)
    stepper.press(.character("o"), run)
    #expect(stepper.station == nil)
    #expect(stepper.step == last)
    stepper.press(.character("i"), run)
    #expect(stepper.step == last && stepper.station == 0)
    stepper.press(.left, run)
    #expect(stepper.step == last - 1)
  }

  @Test("inside of a step its objects are shown as they are at each station")
  func inside() throws {
    let run = try run("observe ada.age as screen\nada.age = 36")
    let lane = Lane(run, at: run.steps.count)
    let written = try #require(lane.stations.firstIndex { $0.kind == .ivar })
    let told = try #require(lane.stations.firstIndex { $0.kind == .observer })
    var stepper = Stepper()
    stepper.step = run.steps.count
    for index in lane.stations.indices {
      stepper.press(.character("s"), run)
      let lines = isalab.screen(run, stepper, ScreenSize(columns: 100, rows: 40))
      #expect(lines.contains { $0.contains("_age \(index < written ? 0 : 36)") }, "\(index)")
      #expect(
        run.state(at: run.moment(ofStep: run.steps.count, at: index)).told["screen"]?.count
          == (index < told ? nil : 1))
    }
  }

  @Test("in Chinese the whole screen is, its help and its messages")
  func chineseScreen() throws {
    let run = try GraphTests.run(
      lines: "class K { age: int }\nlet ada = K()\nobserve ada.age as screen\nada.age = 36")
    var stepper = Stepper(language: .chinese)
    stepper.step = run.steps.count
    stepper.press(.character("s"), run)
    let size = ScreenSize(columns: 100, rows: 30)
    let lines = isalab.screen(run, stepper, size)
    #expect(lines[0].hasPrefix(" 第 \(run.steps.count) 步"))
    #expect(lines.contains { $0.contains("[场景]") })
    #expect(lines.contains { $0.contains("消息发送流程") })
    stepper.press(.character("?"), run)
    let help = isalab.screen(run, stepper, size)
    for key in [Key.enter, .character("o"), .character("o"), .character("z"), .end, .right] {
      stepper.press(key, run)
      #expect(stepper.message.isEmpty || stepper.message.hasHan, "\(stepper.message)")
    }
    for line in lines + help { #expect(!LanguageTests.isEnglish(line), "\(line)") }
  }

  // MARK: Drawn

  @Test("text and SVG have the way below the drawing")
  func drawings() throws {
    let run = try run("observe ada.age options(old, new) as screen\nada.age = 36")
    let text = GraphRun.text(of: run, at: Moment(step: run.steps.count), .text)
    #expect(text.contains("\nthe message's way\n  the scenario → ada → NSKVONotifying_Person"))
    let svg = GraphRun.text(of: run, at: Moment(step: run.steps.count), .svg)
    #expect(svg.components(separatedBy: "class=\"station ").count == 14)
    #expect(svg.contains(">_age</text>"))
    #expect(!GraphRun.text(of: run, at: Moment(step: 0), .svg).contains("class=\"station "))
  }

  @Test("the picture of an observed assignment in the documents is a step that isalab draws")
  func picture() throws {
    let folder = Folder.checkout.appendingPathComponent("docs/pictures")
    let scenario = folder.appendingPathComponent("observed-assignment.kvo")
    let run = try GraphTests.run(lines: try String(contentsOf: scenario, encoding: .utf8))
    let svg = GraphRun.text(of: run, at: Moment(step: run.steps.count), .svg) + "\n"
    let file = folder.appendingPathComponent("observed-assignment.svg")
    if ProcessInfo.processInfo.environment["ISALAB_RECORD"] == "1" {
      try Data(svg.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == svg)
  }
}
