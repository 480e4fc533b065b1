extension Lessons {
  static let classPair = Lesson(
    name: "class-pair",
    title: Text("A class made at run time", "运行时建立的类"),
    goal: Text(
      "Name the class that the first observer brings into being, and list what it has.",
      "说出第一个观察者促成了哪个类，以及这个类有些什么。"),
    introduction: Text(
      """
      Classes are data: a program may make them while it runs. It allocates a class pair, the class \
      and its metaclass, and registers it under a name; methods may be added at any time. The runtime \
      does so when an object is observed for the first time. The lines with a bar are its own log.
      """,
      """
      类也是数据，程序可以在运行时建立它：先分配一对类，即类和它的元类，再用一个名字注册；方法随时可以添加。\
      对象第一次被观察时，运行时做的就是这件事。带竖线的行是运行时自己的日志。
      """),
    question: .init(
      text: Text(
        """
        Person has three properties, so six methods. Somebody observes the age of one person. How \
        many methods does the new class itself have then?
        """,
        "Person 有三个属性，所以有六个方法。现在有人观察某个人的 age。此时新建的类自身有几个方法？"),
      choices: [
        .init(Text("none: it inherits all of them", "没有：全部继承而来")) {
          gainedMethods($0) == 0
        },
        .init(
          Text("four: a setter, and three that the trick needs", "四个：一个设置方法，加上这套手法要用的三个")
        ) { gainedMethods($0) == 4 },
        .init(Text("six: one for each of Person's", "六个：与 Person 的一一对应")) {
          gainedMethods($0) == 6
        },
      ],
      explanation: Text(
        """
        A subclass needs only what it does differently: the setter of the observed key; class, which \
        tells the lie of a later lesson; dealloc, which ends registrations with the object; and \
        _isKVOA, which says yes to whoever asks if this is such a class.
        """,
        """
        子类只需要与父类不同的部分：被观察的键的设置方法；class，后面有一课讲它的谎言；dealloc，\
        在对象销毁时结束各项注册；还有 _isKVOA，有人问“这是不是通知类”时它回答“是”。
        """)),
    lines: """
      class Person {
        name: string
        age: int
        home: string
      }
      let ada = Person()
      observe ada.age as watcher
      superclass NSKVONotifying_Person
      isa NSKVONotifying_Person
      observe ada.name as reader
      let bob = Person()
      observe bob.age as other
      expect methods NSKVONotifying_Person has setName:
      expect methods NSKVONotifying_Person lacks setHome:
      expect isa bob == NSKVONotifying_Person
      """,
    showsTrace: true,
    turn: .init(line: "observe ada.age as watcher", subjects: [.cls("NSKVONotifying_Person")]),
    departures: [
      .init(
        apple: Text(
          "Once made, the class stays for as long as the process runs.",
          "这个类一旦建立，就一直保留到进程结束。"),
        here: Text(
          "It stays as long, or until the class that it notifies for is disposed of.",
          "同样保留，但如果它所通知的原类被销毁，它也随之销毁。"),
        rule: "10.2")
    ],
    conclusion: Text(
      """
      One notifying class serves all objects of a class, and gains a setter whenever another key is \
      observed. Person itself was not touched.
      """,
      "一个类的所有对象共用一个通知类；每当又有一个键被观察，它就增加一个设置方法。Person 本身毫发无损。"),
    exercise: .init(
      task: Text(
        """
        Let Student be a subclass of Person, and observe the age of a Student. Which class is made, \
        and below which?
        """,
        "声明 Person 的子类 Student，观察一个 Student 的 age。这时建立的是哪个类，它的父类又是谁？"),
      check: """
        expect superclass NSKVONotifying_Student == Student
        expect methods NSKVONotifying_Student has setAge:
        expect methods NSKVONotifying_Student lacks setName:
        """))

  private static func gainedMethods(_ run: Run) -> Int? {
    run.after("observe ada.age as watcher")?.cls("NSKVONotifying_Person")?.methods.count
  }
}
