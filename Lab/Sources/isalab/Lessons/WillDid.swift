extension Lessons {
  static let willDid = Lesson(
    name: "will-did",
    title: Text("Will, original, did", "将要改变、原实现、已经改变"),
    goal: Text(
      "Put the parts of an observed assignment in order, and know what it takes to be heard.",
      "排出一次被观察的赋值的各个步骤，并知道怎样的改变才会被得知。"),
    introduction: Text(
      """
      The wrapper does three things: it says that the key will change, calls the original setter, and \
      says that it did. Between the first and the last the old value is kept for those who asked. \
      Here it is at work, event by event; then past it, with poke, and by hand.
      """,
      """
      包装函数做三件事：宣布这个键将要改变，调用原来的设置方法，再宣布它已经改变；其间替需要旧值的观察者保存旧值。\
      下面逐个事件地看它工作；然后用 poke 绕过它；最后由我们亲手宣布。
      """),
    question: .init(
      text: Text(
        "watcher asks for old and new. When is it told of ada.age = 36?",
        "watcher 要求旧值和新值。执行 ada.age = 36 时，它在什么时候得到通知？"),
      choices: [
        .init(Text("in will-change, before the original runs", "在 will-change 中，原实现执行之前")) {
          cause($0) == .willChange
        },
        .init(Text("in did-change, before the setter returns", "在 did-change 中，设置方法返回之前")) {
          cause($0) == .didChange
        },
        .init(Text("later, after the setter has returned", "稍后，设置方法返回以后")) {
          cause($0) == nil
        },
      ],
      explanation: Text(
        """
        The notification stands below did-change in the log: the ivar has its new value already, and \
        the thread that set it is still inside the setter. The same value set again is told again: \
        nobody compares.
        """,
        """
        日志里，通知位于 did-change 之下：这时实例变量已经是新值，而赋值的线程还在设置方法里面。\
        再设一次同样的值，照样再通知一次，因为没有谁去比较。
        """)),
    lines: """
      class Person { age: int }
      let ada = Person()
      observe ada.age options(old, new) as watcher
      ada.age = 36
      ada.age = 36
      poke ada.age = 50
      expect no notification
      will ada.age
      poke ada.age = 51
      did ada.age
      expect watcher count 3
      expect watcher 2 old 36 new 36
      expect watcher last old 50 new 51
      """,
    showsTrace: true,
    turn: .init(line: "ada.age = 36", subjects: [.object("ada")]),
    departures: [
      .init(
        apple: Text(
          "A did belongs to the latest will of its key on the same thread; on another it finds none.",
          "did 与同一线程上同一个键最近的 will 配对；在别的线程上则找不到。"),
        here: Text(
          "The same, and a did on another thread than its will is reported as a misuse.",
          "相同，而且 did 与 will 不在同一线程时，会作为误用报告出来。"),
        rule: "6.9")
    ],
    conclusion: Text(
      """
      The wrapper is reached through the isa and nothing else. A class that writes its own ivars has \
      to go through its setters, or say will and did itself.
      """,
      "通往包装函数的路只有 isa 这一条。类若直接写自己的实例变量，就得改用设置方法，或者自己宣布 will 和 did。"),
    exercise: .init(
      task: Text(
        """
        Declare a class Account whose int balance is manual, and an object a that t observes. Set the \
        balance to 10 and then to 20, so that t hears of the second change alone. Look at the isa.
        """,
        """
        声明类 Account，其 int 属性 balance 为 manual；建一个对象 a，由 t 观察它的 balance。\
        先把 balance 设为 10，再设为 20，使 t 只得知第二次改变。再看看 isa。
        """),
      check: """
        expect t count 1
        expect t last old 10 new 20
        expect isa a == Account
        """))

  /// The kind of the event in whose course the observer was told.
  private static func cause(_ run: Run) -> Event.Kind? {
    let events = run.step("ada.age = 36")?.events ?? []
    let notification = events.first { $0.kind == .notification }
    return events.first { $0.id == notification?.cause }?.kind
  }
}
