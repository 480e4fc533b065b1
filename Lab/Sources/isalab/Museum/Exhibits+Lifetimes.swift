// Who dies first, and who never does.

extension Exhibit {
  static let lifetimes = [
    Exhibit(
      name: "dead-observer", title: "The observer dies first", design: "classic", symptom: .crash,
      sign: "The process crashes at a set, far away from the mistake.",
      cause: """
        The registration holds the observer's bare address. When the observer is gone, the next \
        change sends a message to memory that belongs to nobody, or to somebody else.
        """,
      fix: """
        Hold the observer by a zeroing weak reference and try to retain it for each delivery: a dead \
        one is skipped, its registration collected at the next addition or removal.
        """,
      scenario: """
        class Person { age: int }
        let ada = Person()
        observer view
        observe ada.age by view
        ada.age = 36
        expect view count 1
        release view
        ada.age = 37
        expect no notification
        expect ada.age == 37
        """),
    Exhibit(
      name: "dead-observed", title: "The observed object dies first", design: "classic",
      symptom: .exception,
      sign: "An exception when an object is released that somebody still observes.",
      cause: """
        The observation outlives its object. Foundation before macOS 10.13 would rather stop than \
        let a later object at the same address inherit it.
        """,
      fix: """
        Keep the registrations in the object itself: they end with it, and a later object at its \
        address starts empty.
        """,
      scenario: """
        class Person { age: int }
        let ada = Person()
        observer view
        observe ada.age by view
        release ada
        let bob = Person()
        bob.age = 1
        expect no notification
        expect view count 0
        """),
    Exhibit(
      name: "global-table", title: "One death silences everybody", design: "easykvo",
      symptom: .wrong,
      sign: "Observers of living objects stop hearing when some other object dies.",
      cause: """
        All blocks of the process stand in one table, and the dealloc of any observed object empties \
        it: it cannot tell its own blocks from the others.
        """,
      fix: "Each object has its own registrations; a death ends those of the dead one only.",
      scenario: """
        class Person { name: string }
        class Pet { name: string }
        let ada = Person()
        let rex = Pet()
        observe ada.name as a
        observe rex.name as r
        release rex
        ada.name = "Ada"
        expect a count 1
        """),
    Exhibit(
      name: "class-table", title: "Told of somebody else's change", design: "easykvo",
      symptom: .wrong,
      sign: "Who observes one object hears of all objects of the class that anybody observes.",
      cause: """
        The table's key is made of class and property. The object is not part of it, though its \
        isa is what brought the change here.
        """,
      fix: """
        The isa leads to the setter, which all observed objects of the class share; the setter then \
        asks the object itself who observes it.
        """,
      scenario: """
        class Person { name: string }
        let ada = Person()
        let bob = Person()
        observe ada.name as a
        observe bob.name as b
        bob.name = "Bob"
        expect a count 0
        expect b count 1
        """),
    Exhibit(
      name: "controller-cycle", title: "The controller that keeps its owner", design: "controller",
      symptom: .leak,
      sign: "An object that observes itself by a retaining controller is never deallocated.",
      cause: """
        The object owns its controller, and the controller retains what it observes: the object. \
        Neither lets go first.
        """,
      fix: """
        A registration retains neither side. What keeps the observed object alive is its owner's \
        business.
        """,
      scenario: """
        class Person { age: int }
        let ada = Person()
        observe ada.age by ada options(new)
        release ada
        expect alive ada == false
        """),
    Exhibit(
      name: "weak-controller", title: "The controller that does not retain",
      design: "weak-controller", symptom: .exception,
      sign: "An exception when the observed object dies before its observer.",
      cause: """
        To avoid the cycle the controller may hold the observed object weakly. When that dies the \
        controller forgets it, and nobody removes the registration below.
        """,
      fix: "A registration ends with the observed object by itself, wherever it came from.",
      scenario: """
        class Person { age: int }
        let ada = Person()
        observer view
        observe ada.age by view
        ada.age = 36
        expect view count 1
        release ada
        expect alive ada == false
        """),
  ]
}
