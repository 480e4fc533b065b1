/// The words around all lessons.
enum Tour {
  static let preface = Text(
    """
    You are about to see isa-swizzling, the trick behind Key-Value Observing, in \
    \(Lessons.all.count) lessons: an object's class pointer is moved, while the program runs, to a \
    class whose setters tell observers. Every line with a number is really run, and what stands \
    below it is what happened. To guess before you see, type 'isalab tour --predict'; for one lesson \
    alone, its name or number, as in 'isalab tour isa-swap'.
    """,
    """
    接下来的 \(Lessons.all.count) 课展示 isa 交换（isa-swizzling），也就是键值观察（KVO）背后的手法：程序运行时，把对象的类指针\
    改指向另一个类，那个类的设置方法会通知观察者。带编号的每一行都真正执行，下面缩进的就是执行的结果。\
    想先猜后看，请输入 isalab tour --predict；只看一课，请给出名称或编号，例如 isalab tour isa-swap。
    """)

  /// Where to go on.
  static let farewell = Text(
    """
    More: 'isalab tour --real' adds addresses and machine code, 'isalab tour NAME --scenario' prints \
    a lesson's lines to go on from, 'isalab run FILE.kvo' runs scenarios such as those in \
    Examples/scenarios, and docs/scenarios.md explains their language. docs/behaviour.md has the rules \
    whose numbers stand behind what this runtime does.
    """,
    """
    接着看：isalab tour --real 另外显示地址和机器码；isalab tour NAME --scenario 打印一课的场景，可在此基础上改写；\
    isalab run FILE.kvo 运行 Examples/scenarios 里那样的场景；场景语言的说明在 docs/scenarios.md。文中各条规则的编号出自 docs/behaviour.md。
    """)
}
