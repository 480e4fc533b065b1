extension Lessons {
  static let trampoline = Lesson(
    name: "trampoline",
    title: Text("The trampoline and what libffi does", "蹦床，以及 libffi 的作用"),
    goal: Text(
      "Explain how a setter of any C signature is wrapped, and when a closure has to be made.",
      "说明任意 C 签名的设置方法如何被包装，以及什么时候必须生成闭包。"),
    introduction: Text(
      """
      What stands in the slot of an observed setter must take exactly the arguments that the setter \
      takes. For an int, a double or an object that is a thunk: a function compiled in advance, one \
      for each type. But nobody can compile functions for structs that programs are yet to declare. \
      libffi reads a description of the arguments, made from the type encoding, and makes a function \
      while the program runs: a closure, or trampoline, which jumps to a handler of the engine's.
      """,
      """
      被观察的设置方法，其槽中的函数必须接受与原方法完全相同的参数。参数是 int、double 或对象时，\
      用的是 thunk，即预先编译好的函数，每种类型一个。可是谁也无法为程序将来才声明的结构体预先编译函数。\
      libffi 根据由类型编码得来的参数描述，在程序运行时生成一个函数，即闭包，又称蹦床（trampoline），\
      它会跳到引擎的处理函数。
      """),
    question: .init(
      text: Text(
        """
        home is a struct of three doubles, which this program has made up. What stands in the slot of \
        setHome: once home is observed?
        """,
        "home 是由三个 double 组成的结构体，由这个程序自行定义。观察 home 之后，setHome: 的槽里是什么？"),
      choices: [
        .init(Text("a thunk, compiled in advance", "thunk，预先编译好的函数")) {
          wrapperOfHome($0) == .thunk
        },
        .init(
          Text("Person's own setter: a struct cannot be wrapped", "Person 自己的设置方法：结构体无法包装")
        ) { wrapperOfHome($0) == .method },
        .init(Text("a closure, made by libffi at run time", "闭包，由 libffi 在运行时生成")) {
          wrapperOfHome($0) == .closure
        },
      ],
      explanation: Text(
        """
        The encoding v@:{Place=ddd} became a description of the call. The closure takes the struct \
        wherever this machine passes it, says will, calls the original with the same arguments, and \
        says did.
        """,
        """
        编码 v@:{Place=ddd} 变成了对这次调用的描述。不论本机用什么方式传递这个结构体，闭包都能接住它，\
        先宣布“将要改变”，再用同样的参数调用原实现，最后宣布“已经改变”。
        """)),
    lines: """
      struct Place { x: double, y: double, z: double }
      class Person {
        age: int
        home: Place
      }
      class Tower { height: int }
      let ada = Person()
      observe ada.age as watcher
      observe ada.home options(old, new) as mover
      imp ada setAge:
      imp ada setHome:
      ada.home = (1, 2, 3)
      wrap libffi
      let eiffel = Tower()
      observe eiffel.height as climber
      imp eiffel setHeight:
      eiffel.height = 330
      expect imp ada setAge: == thunk
      expect imp eiffel setHeight: == closure
      """,
    turn: .init(
      line: "observe ada.home options(old, new) as mover",
      subjects: [.cls("NSKVONotifying_Person")]),
    departures: [
      .init(
        apple: Text(
          """
          Setters that take a pointer, a selector, a C string or a long double are left alone and \
          reported: such keys are not observed by themselves.
          """,
          "参数为指针、选择子、C 字符串或 long double 的设置方法不予包装，只发出报告：这些键不会自动通知。"),
        here: Text(
          """
          Whatever libffi can pass is wrapped; 'wrap apple' does as Apple does. 'wrap libffi', as \
          in the lesson, makes closures where a thunk would do.
          """,
          "凡是 libffi 能传递的都予以包装；wrap apple 则按 Apple 的做法。本课用到的 wrap libffi，在 thunk 已够用时也生成闭包。"
        ),
        rule: "10.10"),
      .init(
        apple: Text(
          "One function for each argument type finds the key through the isa and the selector.",
          "每种参数类型一个函数，由它根据 isa 和选择子找出键。"),
        here: Text(
          "A thunk does so too. A closure belongs to one setter and brings its key along.",
          "thunk 也是如此。闭包则专属于一个设置方法，自己带着键。"),
        rule: "10.11"),
    ],
    conclusion: Text(
      """
      A trampoline is a function that is data: its code is the same few instructions each time, and \
      what it carries makes the difference. 'isalab tour trampoline --real' shows them.
      """,
      """
      蹦床是当作数据来造的函数：指令每次都是那么几条，不同的是它携带的内容。\
      输入 isalab tour trampoline --real 可以看到这些指令。
      """),
    exercise: .init(
      task: Text(
        """
        Give an object k a property raw of type pointer. Have its setter wrapped by a closure of \
        libffi's, and let the observer t hear the value 0x10.
        """,
        "给对象 k 一个 pointer 类型的属性 raw，让它的设置方法由 libffi 的闭包包装，并使观察者 t 得知值 0x10。"),
      check: """
        expect imp k setRaw: == closure
        expect t last new 0x10
        """))

  private static func wrapperOfHome(_ run: Run) -> ImplementationView.Kind? {
    guard case .implementation(_, let view, _) = run.answer("imp ada setHome:") else { return nil }
    return view?.kind
  }
}
