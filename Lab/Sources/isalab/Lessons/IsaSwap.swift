extension Lessons {
  static let isaSwap = Lesson(
    name: "isa-swap",
    title: Text("The isa swap", "isa 交换"),
    goal: Text(
      "Say which word in memory an observation changes, and why other objects notice nothing.",
      "说出一次观察改动了内存中的哪个字，以及为什么别的对象毫无察觉。"),
    introduction: Text(
      """
      Here are two people, and one of them is observed. The class for it is made as in the last \
      lesson; now watch the objects. Then both are set, and the observer leaves.
      """,
      "这里有两个人，其中一个被观察。通知类的建立与上一课相同，这次请看对象本身。随后两个对象都被设置，最后观察者离开。"),
    question: .init(
      text: Text(
        "Ada's age is observed, Bob's is not. What does the runtime change so that Ada's setter is "
          + "heard?",
        "Ada 的 age 被观察，Bob 的没有。为了让 Ada 的设置方法能通知观察者，运行时改动了什么？"),
      choices: [
        .init(
          Text("Person's dispatch table: another setAge: for all", "Person 的派发表：给所有对象换上另一个 setAge:")
        ) { classChanges($0) },
        .init(Text("the isa of every Person", "所有 Person 对象的 isa")) {
          moved($0) == ["ada", "bob"]
        },
        .init(Text("Ada's isa alone", "只有 Ada 的 isa")) {
          !classChanges($0) && moved($0) == ["ada"]
        },
      ],
      explanation: Text(
        """
        What makes the difference is one word: Ada's isa now leads to the notifying class. Her second \
        word leads to a side record, where her observers are kept. Bob still takes the road through \
        Person, whose table is as it was: objects that nobody observes pay nothing.
        """,
        """
        起作用的只是一个字：Ada 的 isa 现在指向通知类。她的第二个字指向附属记录，观察者就记在那里。\
        Bob 走的仍是 Person 那条路，Person 的派发表原封不动：没人观察的对象，不付任何代价。
        """)),
    lines: """
      class Person {
        name: string
        age: int
      }
      let ada = Person()
      let bob = Person()
      observe ada.age options(old, new) as watcher
      isa ada
      isa bob
      ada.age = 36
      bob.age = 36
      expect watcher count 1
      expect bob.age == 36
      remove watcher
      imp ada setAge:
      superclass NSKVONotifying_Person
      expect isa ada == Person
      """,
    turn: .init(line: observing, subjects: [.object("ada"), .object("bob")]),
    departures: [
      .init(
        apple: Text(
          """
          Who observes an object stands in a table beside all objects, by address. Removing an \
          observer fails once the object's class has been changed by somebody else.
          """,
          """
          谁在观察某个对象，记录在对象之外的一张全局表里，以对象的地址为键。\
          对象的类一旦被别人改动，移除观察者就会失败。
          """),
        here: Text(
          """
          It stands in the object's own side record, to which the second word of the header leads. \
          Removing works whatever the isa says.
          """,
          "记录在对象自己的附属记录里，头部的第二个字就指向它。不论 isa 是什么，移除都能成功。"),
        rule: "3.10")
    ],
    conclusion: Text(
      """
      That is isa-swizzling: a subclass made at run time, and an object moved into it by writing one \
      word. With the last observer the isa goes back. The class stays for the next time: another \
      thread may still be inside one of its methods.
      """,
      """
      这就是 isa 交换：运行时建立一个子类，再写一个字，把对象移入其中。最后一个观察者离开时，isa 就换回去；\
      类则保留待用，因为可能还有别的线程正在执行它的方法。
      """),
    exercise: .init(
      task: Text(
        """
        Make a subclass Student of Person. Observe the age of ada, a Person, as watcher, and set it \
        to 35. Then give her the class Student by hand, and set her age to 36. watcher must hear \
        both: where does her isa lead now?
        """,
        """
        定义 Person 的子类 Student。ada 是一个 Person，以 watcher 之名观察她的 age，并把它设为 35。\
        再手工把 Ada 的类改为 Student，然后把 age 设为 36。两次 watcher 都应得知：她的 isa 现在指向哪里？
        """),
      check: """
        expect isa ada == NSKVONotifying_Student
        expect registrations ada == 1
        expect watcher count 2
        expect ada.age == 36
        """))

  private static let observing = "observe ada.age options(old, new) as watcher"

  private static func classChanges(_ run: Run) -> Bool {
    run.before(observing)?.cls("Person") != run.after(observing)?.cls("Person")
  }

  /// Whose isa the observation has moved.
  private static func moved(_ run: Run) -> [String] {
    ["ada", "bob"].filter {
      run.before(observing)?.object($0)?.isa != run.after(observing)?.object($0)?.isa
    }
  }
}
