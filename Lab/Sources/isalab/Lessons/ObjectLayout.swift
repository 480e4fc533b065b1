extension Lessons {
  static let objectLayout = Lesson(
    name: "object-layout",
    title: Text("Object layout", "对象的内存布局"),
    goal: Text(
      "Say what stands at which byte of an object, and what its first word is for.",
      "说出对象的每个字节里放着什么，以及第一个字的用途。"),
    introduction: Text(
      """
      An object is a block of memory. It begins with its isa: the address of its class. Everything \
      that an object does goes through this one word. Behind it comes a word for the reference \
      count, then the ivars of the class, each where its alignment lets it stand.
      """,
      """
      对象就是一块内存，开头是它的 isa，也就是它所属的类的地址。对象所做的一切都要经过这一个字。\
      其后是一个存放引用计数的字，再往后才是类声明的各个实例变量（ivar），按各自的对齐要求依次排列。
      """),
    question: .init(
      text: Text(
        "Person declares a string, an int and a struct of three doubles. At which byte does the "
          + "struct, home, begin?",
        "Person 声明了一个字符串、一个 int 和一个含三个 double 的结构体。结构体 home 从第几个字节开始？"),
      choices: [
        .init(Text("28: right behind the int", "28：紧跟在 int 之后")) { offset(in: $0) == 28 },
        .init(Text("32: where a double may stand", "32：double 允许存放的位置")) {
          offset(in: $0) == 32
        },
        .init(Text("12: the sizes of name and age added up", "12：name 与 age 的大小之和")) {
          offset(in: $0) == 12
        },
      ],
      explanation: Text(
        """
        The header has 16 bytes, name is a pointer of 8, age an int of 4: that makes 28. A double \
        stands at a multiple of 8, so 4 bytes stay empty.
        """,
        """
        头部占 16 字节，name 是 8 字节的指针，age 是 4 字节的 int，合计 28。\
        double 必须放在 8 的倍数处，因此空出 4 个字节。
        """)),
    lines: """
      struct Place { x: double, y: double, z: double }
      class Person {
        name: string
        age: int
        home: Place
      }
      let ada = Person()
      let bob = Person()
      ada.name = "Ada"
      ada.age = 36
      isa ada
      retain-count ada
      expect ada.age == 36
      expect bob.age == 0
      """,
    turn: .init(line: "ada.age = 36", subjects: [.object("ada"), .object("bob")]),
    departures: [
      .init(
        apple: Text(
          """
          The header is one word of 8 bytes: the isa, which on 64-bit systems keeps the reference \
          count and some flags in the bits that an address does not need.
          """,
          """
          头部只有一个 8 字节的字，即 isa；在 64 位系统上，地址用不到的那些位里还存着引用计数和若干标志。
          """),
        here: Text(
          """
          Two words: the isa is the plain address of the class, and the second word is the \
          reference count or leads to a side record.
          """,
          "两个字：isa 就是类的地址，不含别的内容；第二个字要么是引用计数，要么指向一条附属记录。"))
    ],
    conclusion: Text(
      """
      Two objects of one class differ in their ivars only. What they can do is not in them: it \
      stands in the class, to which both isa words lead.
      """,
      "同一个类的两个对象，差别只在实例变量。它们会做什么并不存放在对象里，而在类中；两个 isa 都指向那里。"),
    exercise: .init(
      task: Text(
        """
        Declare a class Tight that has the same three properties, in an order that wastes no byte \
        between them, and an object tight whose home is (1, 2, 3).
        """,
        """
        声明一个类 Tight，属性仍是这三个，但要排好次序，使它们之间不浪费一个字节；\
        再建一个对象 tight，令其 home 为 (1, 2, 3)。
        """),
      check: """
        expect class tight == Tight
        expect tight.home == (1, 2, 3)
        """,
      isSolved: { run in
        let ivars = run.steps.last?.state.object("tight")?.ivars ?? []
        let ends = ivars.map { $0.offset + $0.size }
        return ivars.count == 3 && zip(ivars.dropFirst(), ends).allSatisfy { $0.offset == $1 }
      }))

  private static func offset(in run: Run) -> Int? {
    run.steps.last?.state.cls("Person")?.ivars.first { $0.name == "_home" }?.offset
  }
}
