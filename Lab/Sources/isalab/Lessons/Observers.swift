extension Lessons {
  static let observers = Lesson(
    name: "observers",
    title: Text("Several observers and their order", "多个观察者与通知的次序"),
    goal: Text(
      "Foretell the order in which observers are told, and what one can do to another meanwhile.",
      "预言各个观察者得到通知的次序，以及其间一个观察者能对另一个做什么。"),
    introduction: Text(
      """
      Three observers register on the same key, one after the other. Two of them ask to be told \
      before the change as well. Later one removes another while both are being told.
      """,
      "三个观察者先后注册在同一个键上，其中两个还要求在改变之前得到通知。后来，在通知进行之中，一个把另一个移除了。"),
    question: .init(
      text: Text(
        "early, middle and late came in this order. In which order are they told after the change?",
        "early、middle、late 依次注册。改变之后，它们按什么次序得到通知？"),
      choices: [
        .init(Text("early, middle, late", "early、middle、late")) {
          order($0) == ["early", "middle", "late"]
        },
        .init(
          Text(
            "early, late, middle: who asked for prior goes first", "early、late、middle：要了 prior 的在前")
        ) { order($0) == ["early", "late", "middle"] },
        .init(Text("late, middle, early", "late、middle、early")) {
          order($0) == ["late", "middle", "early"]
        },
      ],
      explanation: Text(
        """
        Before the original setter, those who asked are told in the order in which they came; after it \
        everybody is, the last to come first. So the observers stand around the change like brackets.
        """,
        """
        原来的设置方法执行之前，要了 prior 的按注册的先后得到通知；执行之后，人人都得到通知，后来者在前。\
        这样，各个观察者就像一层层括号，把改变括在中间。
        """)),
    lines: """
      class Person { age: int }
      let ada = Person()
      observe ada.age options(new, prior) as early
      observe ada.age options(new) as middle
      observe ada.age options(new, prior) as late
      ada.age = 36
      expect notifications 5
      when late hears: remove early
      ada.age = 37
      registrations ada
      expect early count 3
      """,
    turn: .init(line: "ada.age = 37", subjects: [.object("ada")]),
    departures: [
      .init(
        apple: Text(
          """
          Who is added or removed by one thread while another is telling may be told after removal, \
          or bring the process down.
          """,
          "一个线程正在通知时，另一个线程添加或移除观察者，可能使已被移除的仍得到通知，甚至使进程崩溃。"),
        here: Text(
          """
          Any thread may register and remove at any time. Once removal has returned, no notification \
          of it begins on any thread.
          """,
          "任何线程随时都可以注册和移除。移除一旦返回，任何线程都不会再开始对它的通知。"),
        rule: "12.3")
    ],
    conclusion: Text(
      """
      Apple documents no order; this is what its engine does, and programs rely on it. A registration \
      is looked at again right before it is told, so early, removed in the middle of the change, heard \
      that it would come and never that it had.
      """,
      """
      Apple 的文档没有规定次序；这里的次序是它的引擎实际采用的，已有程序依赖它。每项注册在通知之前都要重新查看一次，\
      所以在改变中途被移除的 early 只得知将要改变，没有得知已经改变。
      """),
    exercise: .init(
      task: Text(
        """
        Let slow observe ada.age, then quick. When quick hears that the age is 200, it sets it to 18. \
        How often does slow hear of it, and what?
        """,
        "先让 slow 观察 ada.age，再让 quick 观察。quick 得知 age 为 200 时，把它设为 18。slow 得到几次通知，值各是多少？"),
      check: """
        expect ada.age == 18
        expect slow count 2
        expect slow 1 new 18
        expect slow 2 new 18
        """))

  private static func order(_ run: Run) -> [String] {
    run.deliveries("ada.age = 36").filter { $0.phase == .change }.map(\.observer)
  }
}
