extension Lessons {
  static let dependentKeys = Lesson(
    name: "dependent-keys",
    title: Text("Dependent keys", "依赖键"),
    goal: Text(
      "Declare what a computed key depends on, and say which setters are wrapped for its observer.",
      "声明一个计算而来的键依赖什么，并说出为它的观察者包装了哪些设置方法。"),
    introduction: Text(
      """
      A greeting is worked out from the full name, and that from first and last. It is stored nowhere \
      and never set, yet it changes. The class says what each key depends on, by the method \
      keyPathsForValuesAffectingGreeting; the runtime does the rest.
      """,
      """
      问候语由全名算出，全名又由名和姓算出。它不存放在任何地方，也从不被设置，却会改变。\
      类用方法 keyPathsForValuesAffectingGreeting 说明每个键依赖什么，其余由运行时去做。
      """),
    question: .init(
      text: Text(
        "Somebody observes greeting, which has no setter. Which setters does the notifying class "
          + "get?",
        "有人观察 greeting，而它没有设置方法。通知类会得到哪些设置方法？"),
      choices: [
        .init(
          Text("none: greeting is compared at each reading", "没有：每次读取 greeting 时再作比较")
        ) { wrapped($0) == [] },
        .init(Text("setFull:, for greeting depends on full", "setFull:，因为 greeting 依赖 full")) {
          wrapped($0) == ["setFull:"]
        },
        .init(
          Text("setFirst: and setLast:, where it all begins", "setFirst: 和 setLast:，一切由此开始")
        ) { wrapped($0) == ["setFirst:", "setLast:"] },
      ],
      explanation: Text(
        """
        Dependencies are followed to the end, once for each class and key. Keys that are stored are \
        where changes begin, so their setters are wrapped; each of them announces greeting as well.
        """,
        """
        依赖关系要一直追到底，每个类的每个键只追一次。存放着值的键才是改变的起点，所以包装的是它们的设置方法，\
        由这些方法一并宣布 greeting 的改变。
        """)),
    lines: """
      class Person {
        first: string
        last: string
        full: string = join(first, " ", last) depends on (first, last)
        greeting: string = join("Dear ", full) depends on (full)
      }
      let ada = Person()
      ada.first = "Ada"
      ada.last = "Byron"
      affecting ada.greeting
      closure ada.greeting
      observe ada.greeting options(old, new) as letter
      ada.last = "Lovelace"
      ada.first = "Ada"
      affected ada.last
      expect letter first old "Dear Ada Byron" new "Dear Ada Lovelace"
      expect letter count 2
      """,
    turn: .init(
      line: observingGreeting, subjects: [.object("ada"), .cls("NSKVONotifying_Person")]),
    departures: [
      .init(
        apple: Text(
          "Two equal registrations that depend on a key path may be told too often.",
          "两项相同的注册若依赖同一条键路径，可能得到过多的通知。"),
        here: Text("Each is told once for each change.", "每次改变，每项注册只通知一次。"),
        rule: "5.18")
    ],
    conclusion: Text(
      """
      The observer is told of a setting with whole values, whenever something that greeting depends on \
      is set, changed or not. The same first name, set again, was heard as well.
      """,
      """
      只要 greeting 所依赖的东西被设置，不论变没变，观察者都会得到通知，种类是“设置”，带着完整的值。\
      把名再设成原来的样子，照样得到了通知。
      """),
    exercise: .init(
      task: Text(
        """
        Declare a Box with doubles width and height, and an area that is their product and says so. Let t \
        observe the area of a box b of 2 by 3, and make it 2 by 4.
        """,
        "声明 Box，它有 double 属性 width 和 height，以及等于二者之积的 area，并声明其依赖。让 t 观察 2 乘 3 的盒子 b 的 area，再把 b 变成 2 乘 4。"
      ),
      check: """
        expect affecting b.area == {width, height}
        expect t last old 6 new 8
        """))

  private static let observingGreeting = "observe ada.greeting options(old, new) as letter"

  private static func wrapped(_ run: Run) -> [String]? {
    run.after(observingGreeting)?.cls("NSKVONotifying_Person")?.methods
      .filter { $0.kind != .method }.map(\.selector).sorted()
  }
}
