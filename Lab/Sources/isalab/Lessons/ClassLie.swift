extension Lessons {
  static let classLie = Lesson(
    name: "class-lie",
    title: Text("The lie of class and the truth of the isa", "class 的谎言与 isa 的真相"),
    goal: Text(
      "Tell what an object claims to be from what it is, and know whom to ask.",
      "分清对象自称是什么与实际是什么，并知道各该去问谁。"),
    introduction: Text(
      """
      Ada has been moved into another class. Programs compare classes, archive their names and print \
      them, and none of them was written with NSKVONotifying_Person in mind. So what does Ada answer \
      when she is asked?
      """,
      """
      Ada 已被移入另一个类。程序会比较类、把类名存档、把类名打印出来，而写这些程序的人没有料到会有 \
      NSKVONotifying_Person。那么，问到 Ada 时，她怎么回答？
      """),
    question: .init(
      text: Text(
        "Ada is observed, and her isa leads to NSKVONotifying_Person. What does she answer to the "
          + "message class?",
        "Ada 正被观察，她的 isa 指向 NSKVONotifying_Person。向她发送消息 class，她回答什么？"),
      choices: [
        .init(Text("Person, as before", "Person，与之前一样")) { claimOfAda($0) == "Person" },
        .init(Text("NSKVONotifying_Person, as the isa says", "NSKVONotifying_Person，与 isa 一致")) {
          claimOfAda($0) == "NSKVONotifying_Person"
        },
        .init(Text("IsaObject, the class above both", "IsaObject，即二者之上的类")) {
          claimOfAda($0) == "IsaObject"
        },
      ],
      explanation: Text(
        """
        The notifying class overrides the method class and answers with its superclass, so code that \
        compares classes goes on working. The isa itself tells the truth, and so does who reads it: \
        object_getClass with Apple, isa_object_get_class here.
        """,
        """
        通知类覆盖了方法 class，回答的是自己的父类，于是比较类的代码照常工作。isa 本身说的才是真话，\
        直接读它就能得知：Apple 用 object_getClass，这里用 isa_object_get_class。
        """)),
    lines: """
      class Person { age: int }
      let ada = Person()
      let bob = Person()
      observe ada.age as watcher
      class ada
      class bob
      isa ada
      isa bob
      imp ada class
      imp bob class
      superclass ada
      expect class ada == Person
      expect isa ada != Person
      """,
    turn: .init(
      line: "observe ada.age as watcher",
      subjects: [.object("ada"), .cls("NSKVONotifying_Person")]),
    departures: [
      .init(
        apple: Text(
          """
          The lie has a price: the runtime answers class by a short cut unless a class overrides \
          it, and for a notifying class the short cut is lost.
          """,
          "谎言有代价：没有覆盖 class 的类，运行时走捷径直接回答；通知类覆盖了它，这条捷径就用不上了。"),
        here: Text(
          "There is no such short cut, so nothing becomes slower.",
          "没有这样的捷径，所以也不会因此变慢。"),
        rule: "10.16")
    ],
    conclusion: Text(
      """
      Ask by message for what an object wants to be taken for, and read the isa for what it is. A \
      debugger that shows NSKVONotifying_Person has read the isa.
      """,
      "想知道对象希望被当作什么，就发消息问它；想知道它究竟是什么，就读 isa。调试器里显示出 NSKVONotifying_Person，说明它读的是 isa。"),
    exercise: .init(
      task: Text(
        """
        Let Student be a subclass of Person, and observe a person ada and a student bob. Foretell for \
        each the claim, the isa and its superclass. Is the one notifying class below the other?
        """,
        """
        声明 Person 的子类 Student，观察一个 Person 对象 ada 和一个 Student 对象 bob。预言二者各自称什么类、isa 是什么、\
        isa 所指的类的父类是谁。两个通知类之间有继承关系吗？
        """),
      check: """
        expect class bob == Student
        expect isa bob == NSKVONotifying_Student
        expect superclass bob == Student
        expect class ada == Person
        expect superclass ada == Person
        """))

  private static func claimOfAda(_ run: Run) -> String? {
    if case .claimedClass(_, let name) = run.answer("class ada") { name } else { nil }
  }
}
