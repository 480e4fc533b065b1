extension Lessons {
  static let messageSend = Lesson(
    name: "message-send",
    title: Text("Message send and dispatch table", "消息发送与派发表"),
    goal: Text(
      "Follow a message from the object to the code, whatever the depth of inheritance.",
      "不论继承有多深，都能从对象一路追到消息所执行的代码。"),
    introduction: Text(
      """
      A setter is called by a message. The runtime loads the object's isa, takes the dispatch table \
      of that class, and calls the IMP in the selector's slot. A subclass begins with the table of its \
      superclass and changes only the slots of its own methods.
      """,
      """
      调用设置方法，就是发送一条消息：运行时取出对象的 isa，找到那个类的派发表，再调用选择子对应的槽里的 IMP。\
      子类的派发表开始时与父类的相同，只改动自己的方法所占的那些槽。
      """),
    question: .init(
      text: Text(
        """
        Doctor is a subclass of Student, and that one of Person, which declares age. Which code does \
        eve.age = 31 run for a Doctor?
        """,
        "Doctor 是 Student 的子类，Student 又是 Person 的子类，age 由 Person 声明。eve 是一个 Doctor，eve.age = 31 执行哪段代码？"
      ),
      choices: [
        .init(
          Text("-[Person setAge:], out of Doctor's table", "-[Person setAge:]，取自 Doctor 的派发表")
        ) { ownerOfSetter($0) == "Person" },
        .init(
          Text("-[Doctor setAge:], a copy made for Doctor", "-[Doctor setAge:]，为 Doctor 复制的一份")
        ) { ownerOfSetter($0) == "Doctor" },
        .init(
          Text(
            "none: Doctor does not understand the message", "没有代码：Doctor 不懂这条消息")
        ) { ownerOfSetter($0) == nil },
      ],
      explanation: Text(
        """
        Doctor's table has Person's IMP in that slot from the beginning; nothing is copied but the \
        address of the code. Three loads, the isa, the page and the slot, lead to it at any depth.
        """,
        """
        Doctor 的派发表从一开始就在那个槽里放着 Person 的 IMP，除了代码的地址，什么也没有复制。\
        取 isa、取页、取槽，不论继承多深都是这三次读取。
        """)),
    lines: """
      class Person {
        name: string
        age: int
      }
      class Student : Person { school: string }
      class Doctor : Student { thesis: string }
      let bob = Student()
      let eve = Doctor()
      methods Student
      methods Doctor
      imp eve setAge:
      imp eve setSchool:
      imp bob setThesis:
      eve.age = 31
      expect imp bob setThesis: == nil
      """,
    showsTrace: true,
    turn: .init(line: "eve.age = 31", subjects: [.object("eve"), .cls("Doctor")]),
    departures: [
      .init(
        apple: Text(
          """
          objc_msgSend looks into the class's cache of methods used of late; on a miss it searches \
          the method lists class by class upwards, and remembers what it found.
          """,
          """
          objc_msgSend 先查类的方法缓存，其中是最近用过的方法；查不到，就沿父类链逐个查找方法列表，\
          再把结果记入缓存。
          """),
        here: Text(
          """
          There is no cache and no search: every class has a table that reaches every selector. \
          Pages of 32 slots are shared with the superclass until they differ.
          """,
          "没有缓存，也不查找：每个类都有覆盖全部选择子的派发表。每页 32 个槽，与父类共用，直到内容不同为止。"))
    ],
    conclusion: Text(
      """
      The way to the code begins at the isa and nowhere else. An object whose isa leads to another \
      table does other things from its next message on.
      """,
      "通往代码的路只有一个起点，就是 isa。isa 一旦指向另一张派发表，对象从下一条消息起，行为就不同了。"),
    exercise: .init(
      task: Text(
        """
        Declare Animal with an int legs, and Bird below it with an int wings. Make a Bird tweety whose \
        two legs are set by the method that Animal declares.
        """,
        "声明 Animal，它有 int 属性 legs；再声明它的子类 Bird，它有 int 属性 wings。建一个 Bird 对象 tweety，用 Animal 声明的方法把 legs 设为 2。"
      ),
      check: """
        expect superclass Bird == Animal
        expect methods Bird lacks setLegs:
        expect imp tweety setLegs: == method
        expect imp tweety fly == nil
        expect tweety.legs == 2
        """))

  private static func ownerOfSetter(_ run: Run) -> String? {
    run.after("eve.age = 31")?.implementation("setAge:", in: "Doctor")?.owner
  }
}
