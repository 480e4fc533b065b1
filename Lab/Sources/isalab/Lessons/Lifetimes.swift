extension Lessons {
  static let lifetimes = Lesson(
    name: "lifetimes",
    title: Text("Lifetimes", "生命周期"),
    goal: Text(
      "Say who keeps whom alive, and what becomes of a registration when one side dies.",
      "说出谁让谁活着，以及一方死去后注册会怎样。"),
    introduction: Text(
      """
      A registration keeps neither the observer nor the observed alive. So either may go first. For \
      years the first was the most frequent crash of all that KVO had to offer.
      """,
      "注册既不让观察者活着，也不让被观察者活着，所以哪一方都可能先走。观察者先走，曾是多年里 KVO 最常见的崩溃。"),
    question: .init(
      text: Text(
        """
        The observer reader is given up while it is registered, and nobody removes it. What happens at \
        ada.age = 2?
        """,
        "观察者 reader 在注册期间被释放，谁也没有移除它。执行 ada.age = 2 时会发生什么？"),
      choices: [
        .init(Text("nobody is told, and nothing breaks", "没有人得到通知，也没有任何损坏")) {
          fate($0) == .skipped
        },
        .init(Text("reader is told: its registration keeps it alive", "reader 得到通知：注册让它活着")) {
          fate($0) == .told
        },
        .init(Text("the run ends with an error", "运行因错误而中止")) { fate($0) == .stopped },
      ],
      explanation: Text(
        """
        The registration holds a weak reference, which reads nothing once the observer is dying. Whoever \
        is told is held for as long as that takes.
        """,
        "注册所持有的是弱引用，观察者开始销毁时，它就读不出东西了。正在得到通知的观察者，则在通知期间一直被持有。")),
    lines: """
      class Person { age: int }
      let ada = Person()
      observer reader
      observe ada.age by reader options(new)
      ada.age = 1
      retain-count reader
      release reader
      ada.age = 2
      expect no notification
      observe ada.age options(new) as token
      ada.age = 3
      expect registrations ada == 1
      release ada
      remove token
      expect alive ada == false
      """,
    turn: .init(line: "release reader", subjects: [.object("reader"), .object("ada")]),
    departures: [
      .init(
        apple: Text(
          """
          An observed object that died with observers raised an exception until macOS 10.12, and is \
          silent since. A dead observer was sent messages all the same; it is skipped only of late.
          """,
          """
          macOS 10.12 及以前，被观察的对象带着观察者死去会引发异常，此后则悄无声息。\
          死去的观察者从前照样会收到消息，直到近来才被跳过。
          """),
        here: Text(
          """
          Both are silent from the start. What a dead observer leaves behind is collected at the next \
          registration or removal.
          """,
          "两种情形从一开始就悄无声息。死去的观察者留下的注册，在下一次注册或移除时收走。"),
        rule: "11.3")
    ],
    conclusion: Text(
      """
      A token may be ended any number of times, even after its object. An observer object is removed \
      exactly as often as it was added; once more is an NSRangeException.
      """,
      "令牌可以结束任意多次，对象死后也行。观察者对象则注册几次就移除几次，多一次就是 NSRangeException。"),
    exercise: .init(
      task: Text(
        """
        Let a registration keep its observer: register the observer object o on ada.age with the option \
        retain, release o, and set the age. o must hear of it.
        """,
        "让注册持有它的观察者：用选项 retain 把观察者对象 o 注册到 ada.age，释放 o，再设置 age。o 必须得到通知。"),
      check: """
        expect alive o == true
        expect o count 1
        expect registrations ada == 1
        """))

  private enum Fate { case told, skipped, stopped }

  private static func fate(_ run: Run) -> Fate {
    guard let step = run.step("ada.age = 2"), run.stopped == nil else { return .stopped }
    return step.deliveries.isEmpty ? .skipped : .told
  }
}
