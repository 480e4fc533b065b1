/// The classic exploration: two objects of one class, one of them observed.
enum Tour {
  /// All lessons' lines as one scenario, parted by nothing, so that a line belongs to one lesson.
  static let scenario = lessons.map(\.lines).joined(separator: "\n") + "\n"

  /// The lines of the scenario that belong to a lesson, counted from 1.
  static func lineRange(ofLesson index: Int) -> Range<Int> {
    let counts = lessons.map {
      $0.lines.split(separator: "\n", omittingEmptySubsequences: false).count
    }
    let start = counts[..<index].reduce(1, +)
    return start..<start + counts[index]
  }

  /// Where to go on.
  static let farewell = """
    More: 'isalab tour --real' adds addresses and machine code, 'isalab run FILE.kvo' runs scenarios \
    such as those in Examples/scenarios, and docs/scenarios.md explains their language.
    """

  static let lessons = [
    twins, observed, bothSet, lie, methodTables, wrappedSetter, anySignature, order, around,
    wayBack,
  ]

  private static let twins = Lesson(
    title: "Two objects, one class",
    introduction: """
      Every object begins with its isa: the address of its class. A message is looked up in the \
      table of that class. Here are two people; nobody observes them yet.
      """,
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
      imp ada setAge:
      """,
    conclusion: """
      The first ivar stands at byte 16: the isa and one more word, for the reference count, come \
      before it. Both objects answer setAge: with the code that Person has.
      """)

  private static let observed = Lesson(
    title: "One of them is observed",
    introduction: """
      Now somebody wants to know when Ada's age changes. Watch the isa: nothing is written into \
      Person, and nothing happens to Bob.
      """,
    lines: """
      observe ada.age options(old, new) as watcher
      isa ada
      isa bob
      """,
    conclusion: """
      That was the trick. A subclass was made while the program runs, and Ada was moved into it by \
      writing one word. That is isa-swizzling.
      """)

  private static let bothSet = Lesson(
    title: "Set both",
    introduction: "The same message to both objects. Only one of the two assignments is heard.",
    lines: """
      ada.age = 36
      bob.age = 36
      expect watcher count 1
      expect ada.age == 36
      expect bob.age == 36
      """,
    conclusion: """
      Bob still takes the road through Person. Objects that nobody observes do not pay for those \
      that somebody does.
      """)

  private static let lie = Lesson(
    title: "The lie and the truth",
    introduction: """
      Ask both objects for their class by message, then look at the isa itself.
      """,
    lines: """
      class ada
      class bob
      isa ada
      isa bob
      superclass NSKVONotifying_Person
      expect class ada == Person
      expect isa ada == NSKVONotifying_Person
      """,
    conclusion: """
      The notifying class overrides the method class and answers Person: code that compares classes \
      goes on working. The isa tells the truth.
      """)

  private static let methodTables = Lesson(
    title: "What the new class has",
    introduction: "A subclass inherits everything, so it needs only what it does differently.",
    lines: """
      methods Person
      methods NSKVONotifying_Person
      """,
    conclusion: """
      One setter, because one key was observed so far; class, to tell the lie; dealloc, to end the \
      registrations with the object; _isKVOA, which answers yes to whoever asks if this is such a \
      class.
      """)

  private static let wrappedSetter = Lesson(
    title: "Inside the setter",
    introduction: """
      The same selector leads Bob and Ada to different code. Ada's wrapper announces the change, \
      calls the setter that Person has, and announces that it is done. Here it is at work, event by \
      event.
      """,
    lines: """
      imp bob setAge:
      imp ada setAge:
      ada.age = 37
      expect watcher last old 36 new 37
      """,
    showsTrace: true,
    conclusion: """
      For integers, floating-point numbers, pointers and objects the wrapper is a thunk: a function \
      compiled in advance, one per type, that finds its setter through the isa and the selector.
      """)

  private static let anySignature = Lesson(
    title: "Any signature",
    introduction: """
      Nobody can compile a wrapper in advance for every struct that a program may think of. For \
      those, libffi makes a function while the program runs: a closure that takes exactly the \
      arguments that the type encoding describes.
      """,
    lines: """
      observe ada.home options(old, new) as mover
      imp ada setHome:
      ada.home = (1, 2, 3)
      expect mover last old (0, 0, 0) new (1, 2, 3)
      """,
    conclusion: """
      The class was there already and only gained a method. The closure knows its key, the original \
      code and how to call it; the struct went through it by value.
      """)

  private static let order = Lesson(
    title: "Will and did",
    introduction: """
      A second observer asks to be told before the change as well: the option prior. What is the \
      order?
      """,
    lines: """
      observe ada.age options(old, new, prior) as early
      ada.age = 38
      expect notifications 3
      expect early first prior old 37 new absent
      expect early last change old 37 new 38
      """,
    showsTrace: true,
    conclusion: """
      Before the original setter those who asked are told in the order in which they came; after it \
      everybody is, the last to come first. A prior notification has no new value: nobody knows it \
      yet.
      """)

  private static let around = Lesson(
    title: "Around the setter",
    introduction: """
      The wrapper is reached through the isa and nothing else. Write the ivar directly, and nobody \
      hears it; say will and did by hand, and they do.
      """,
    lines: """
      poke ada.age = 50
      expect no notification
      will ada.age
      poke ada.age = 51
      did ada.age
      expect watcher last old 50 new 51
      """,
    conclusion: """
      So a class that changes its own ivars must use its setters, or announce the change itself.
      """)

  private static let wayBack = Lesson(
    title: "The way back",
    introduction: "The observers leave, one after the other.",
    lines: """
      remove early
      remove mover
      remove watcher
      imp ada setAge:
      ada.age = 39
      expect no notification
      expect isa ada == Person
      superclass NSKVONotifying_Person
      """,
    conclusion: """
      With the last registration the isa goes back. The notifying class stays for the next time: \
      another thread may still be inside one of its methods.
      """)
}
