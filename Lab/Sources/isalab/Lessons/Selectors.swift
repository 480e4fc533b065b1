extension Lessons {
  static let selectors = Lesson(
    name: "selectors",
    title: Text("Selectors and IMPs", "选择子与方法实现（IMP）"),
    goal: Text(
      "Tell a selector from an IMP, and read a method's type encoding.",
      "分清选择子与 IMP，并读懂方法的类型编码。"),
    introduction: Text(
      """
      A selector is a method's name, kept once for the whole program: equal names are one selector. \
      An IMP is a method's code: a C function whose first two arguments are the receiver and the \
      selector. A class leads from the one to the other. Beside them stands the type encoding, as \
      in v@:i: returns nothing (v), takes the receiver (@), the selector (:) and an int (i).
      """,
      """
      选择子是方法的名字，整个程序里只保存一份：名字相同，就是同一个选择子。\
      IMP 是方法的代码，即一个 C 函数，它的前两个参数是接收者和选择子。由选择子找到 IMP，靠的是类。\
      此外还有类型编码，例如 v@:i：无返回值（v），参数依次是接收者（@）、选择子（:）和一个 int（i）。
      """),
    question: .init(
      text: Text(
        "Person and Tower know nothing of each other, and both have a method setAge:. What do the "
          + "two methods share?",
        "Person 和 Tower 互不相干，但都有方法 setAge:。这两个方法共用的是什么？"),
      choices: [
        .init(Text("the selector, and not the IMP", "选择子，但不是 IMP")) {
          selectorsMeet($0) && !codeMeets($0)
        },
        .init(Text("the selector and the IMP", "选择子和 IMP")) { selectorsMeet($0) && codeMeets($0) },
        .init(
          Text(
            "nothing: each class has selectors of its own", "什么也不共用：每个类有自己的选择子")
        ) { !selectorsMeet($0) },
      ],
      explanation: Text(
        """
        setAge: is one selector wherever it is written. What it does is decided by each class, \
        which has an IMP of its own for it.
        """,
        "setAge: 写在哪里都是同一个选择子；它做什么，由各个类自己的 IMP 决定。")),
    lines: """
      class Person {
        name: string
        age: int
      }
      class Tower {
        age: int
        height: double
      }
      let ada = Person()
      let eiffel = Tower()
      methods Person
      methods Tower
      imp ada setAge:
      imp eiffel setAge:
      imp eiffel setName:
      ada.age = 36
      eiffel.age = 137
      expect ada.age == 36
      expect imp eiffel setName: == nil
      """,
    turn: .init(line: "ada.age = 36", subjects: [.object("ada"), .cls("Person")]),
    departures: [
      .init(
        apple: Text(
          "A selector is the address of its name, and a class keeps lists of its methods.",
          "选择子就是其名字的地址，类里保存的是方法列表。"),
        here: Text(
          """
          A selector holds a place, a page and a slot in it, which is the same in the dispatch \
          table of every class.
          """,
          "选择子记着一个位置，即第几页、页中第几个槽；这个位置在每个类的派发表里都一样。"))
    ],
    conclusion: Text(
      """
      A message names a selector, never code. So the code behind it can be exchanged, in the class or \
      by giving the object another class, and no caller has to be compiled again.
      """,
      """
      消息里写的是选择子，从来不是代码。因此背后的代码可以更换，既可以改动类，也可以让对象换一个类，\
      而调用者无须重新编译。
      """),
    exercise: .init(
      task: Text(
        """
        Declare a class Door with a bool open whose setter is called setIsOpen: and not setOpen:, \
        make an object door, and open it.
        """,
        "声明一个类 Door，它有一个 bool 属性 open，设置方法叫 setIsOpen: 而不是 setOpen:；建一个对象 door，并把它打开。"),
      check: """
        expect imp door setIsOpen: == method
        expect imp door setOpen: == nil
        expect door.open == true
        """))

  private static func setters(_ run: Run) -> [ImplementationView] {
    ["Person", "Tower"].compactMap { run.steps.last?.state.implementation("setAge:", in: $0) }
  }

  private static func selectorsMeet(_ run: Run) -> Bool { setters(run).count == 2 }

  private static func codeMeets(_ run: Run) -> Bool {
    Set(setters(run).map(\.owner)).count == 1 || Set(setters(run).map(\.address)).count == 1
  }
}
