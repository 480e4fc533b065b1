extension Lessons {
  static let keyPaths = Lesson(
    name: "key-paths",
    title: Text("Key paths", "键路径"),
    goal: Text(
      "Say which objects an observation along a key path touches, and how it follows a change.",
      "说出沿键路径的观察牵涉哪些对象，以及途中有变化时它如何跟随。"),
    introduction: Text(
      """
      Who observes ada.home.city wants to hear when the city changes, and also when Ada moves. So the \
      runtime observes home on Ada, and puts a forwarder on the home, which observes city and passes it \
      on. When Ada moves, the forwarder moves too.
      """,
      """
      观察 ada.home.city 的人，既想知道城市何时改变，也想知道 Ada 何时搬家。于是运行时在 Ada 上观察 home，\
      又在那个 home 上安放一个转发者，由它观察 city 并转达。Ada 搬家，转发者也跟着走。
      """),
    question: .init(
      text: Text(
        "Ada's home is london; turin stands empty. How many objects' isa does observing "
          + "ada.home.city move?",
        "Ada 的 home 是 london，turin 还空着。观察 ada.home.city 会改动几个对象的 isa？"),
      choices: [
        .init(Text("one: Ada's", "一个：Ada 的")) { moved($0) == 1 },
        .init(Text("two: Ada's and london's", "两个：Ada 的和 london 的")) { moved($0) == 2 },
        .init(Text("three: every home might be Ada's one day", "三个：哪个 home 都可能成为 Ada 的")) {
          moved($0) == 3
        },
      ],
      explanation: Text(
        """
        A change is heard where a setter is wrapped: setHome: of Ada, and setCity: of the home that she \
        has. turin gets its forwarder when Ada moves there, and london is left in peace.
        """,
        """
        哪里的设置方法被包装，哪里的改变才会被得知：Ada 的 setHome:，以及她现有的 home 的 setCity:。\
        Ada 搬去 turin 时，turin 才有转发者，london 从此不受打扰。
        """)),
    lines: """
      class Home { city: string }
      class Person { home: Home }
      let ada = Person()
      let london = Home()
      let turin = Home()
      london.city = "London"
      turin.city = "Turin"
      ada.home = london
      observe ada.home.city options(old, new) as watcher
      london.city = "Londinium"
      ada.home = turin
      london.city = "London"
      turin.city = "Torino"
      ada.home = nil
      expect watcher count 4
      expect watcher last old "Torino" new nil
      expect isa turin == Home
      """,
    turn: .init(line: "ada.home = turin", subjects: [.object("london"), .object("turin")]),
    departures: [
      .init(
        apple: Text(
          """
          A home that changed without will and did raises an exception at the next change or removal, \
          for the forwarder stands on the wrong object.
          """,
          "如果 home 的改变没有经过 will 和 did，下一次改变或移除就会引发异常，因为转发者站错了对象。"),
        here: Text(
          """
          It is reported too, but the registration ends, or follows the new value; no forwarder stays \
          behind.
          """,
          "同样会报告，但注册要么结束，要么跟随新值，绝不会留下转发者。"),
        rule: "3.7"),
      .init(
        apple: Text(
          "Nothing is promised where one thread moves Ada and another renames her city.",
          "一个线程让 Ada 搬家，另一个线程给她的城市改名，这时不作任何保证。"),
        here: Text(
          "The forwarder ends up where the last announced change leads.",
          "转发者最终站在最后一次宣布的改变所指的地方。"),
        rule: "4.15"),
    ],
    conclusion: Text(
      """
      A key path is a chain of ordinary registrations. nil on the way is no obstacle: the value is nil \
      then, and completing the path is a change like any other.
      """,
      "键路径就是一串普通的注册。途中遇到 nil 并无妨碍：这时值就是 nil，把路径补全也是一次普通的改变。"),
    exercise: .init(
      task: Text(
        """
        Let t observe ada.home.city while Ada has no home yet, then give her turin, whose city is Turin. \
        t must hear that nil became Turin.
        """,
        "Ada 还没有 home 时，就让 t 观察 ada.home.city；然后给她 turin，其 city 为 Turin。t 应得知 nil 变成了 Turin。"),
      check: """
        expect t count 1
        expect t last old nil new "Turin"
        expect isa turin == NSKVONotifying_Home
        """))

  private static func moved(_ run: Run) -> Int {
    let facts = run.step("observe ada.home.city options(old, new) as watcher")?.facts ?? []
    return facts.filter { if case .isa = $0 { true } else { false } }.count
  }
}
