extension Lessons {
  static let options = Lesson(
    name: "options",
    title: Text("Options", "选项"),
    goal: Text(
      "Foretell how often an observer is told, and with which values, from its options.",
      "根据选项预言观察者会得到几次通知、带着哪些值。"),
    introduction: Text(
      """
      Who registers says what to be told. old and new ask for the values; initial for one \
      notification at once, before registering returns; prior for one more before each change. \
      Without options one is told that something changed, and nothing else.
      """,
      """
      注册时要说明想知道什么。old 和 new 要的是值；initial 要求立刻通知一次，在注册返回之前；\
      prior 要求在每次改变之前多通知一次。什么选项都不给，得到的只是“变了”这个消息。
      """),
    question: .init(
      text: Text(
        "curious asks for all four options, then age is set once. How often is it told in all?",
        "curious 要了全部四个选项，随后 age 被设置一次。它总共得到几次通知？"),
      choices: [
        .init(Text("once: there was one change", "一次：改变只有一次")) { times($0) == 1 },
        .init(Text("twice: before the change and after it", "两次：改变之前和改变之后")) {
          times($0) == 2
        },
        .init(Text("three times: at once, before, after", "三次：立刻一次，之前一次，之后一次")) {
          times($0) == 3
        },
      ],
      explanation: Text(
        """
        Initial has new, and never old: nothing has changed yet. Prior has old, and never new: nobody \
        knows it yet. The change itself has both. modest asked for no option and hears once, with no \
        values.
        """,
        """
        初始通知有新值，绝没有旧值，因为什么都还没变；事前通知有旧值，绝没有新值，因为还没有人知道；\
        改变之后的通知两者都有。modest 没有要任何选项，只得到一次通知，不带值。
        """)),
    lines: """
      class Person { age: int }
      let ada = Person()
      ada.age = 35
      observe ada.age options(old, new, initial, prior) as curious
      observe ada.age options() as modest
      ada.age = 36
      expect curious 1 initial old absent new 35
      expect curious 2 prior old 35 new absent
      expect curious 3 change old 35 new 36
      expect modest count 1
      expect modest last old absent new absent
      """,
    turn: .init(
      line: "observe ada.age options(old, new, initial, prior) as curious",
      subjects: [.object("ada")]),
    departures: [
      .init(
        apple: Text(
          "Values come as objects: an int is boxed for the change dictionary.",
          "值以对象的形式交付：int 要先装箱，才能放进 change 字典。"),
        here: Text(
          "They come in place, as a type encoding and an address, which allocates nothing.",
          "值就地交付，给出类型编码和地址，不分配任何内存。"),
        rule: "2.3"),
      .init(
        apple: Text("Bits that mean no option are not looked at.", "没有意义的选项位不予理会。"),
        here: Text("They are refused: somebody meant something by them.", "予以拒绝：写下它的人必有所指。"),
        rule: "0.4"),
    ],
    conclusion: Text(
      """
      Options belong to a registration, not to the key: each observer of the same key is told what it \
      asked for itself.
      """,
      "选项属于注册，不属于键：同一个键的观察者，各自得到自己所要的。"),
    exercise: .init(
      task: Text(
        """
        Ada's age is 41 already. Register t so that it hears 41 at once and afterwards new values, \
        never old ones; then set 42.
        """,
        "Ada 的 age 已经是 41。注册 t，使它立刻得知 41，以后只得知新值，绝不得知旧值；然后设为 42。"),
      check: """
        expect t count 2
        expect t first initial old absent new 41
        expect t last change old absent new 42
        """))

  private static func times(_ run: Run) -> Int {
    run.steps.flatMap(\.deliveries).filter { $0.observer == "curious" }.count
  }
}
