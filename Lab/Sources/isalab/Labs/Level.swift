/// One of the eight exercises.
struct Level: Sendable {
  var number: Int
  var title: String
  /// What the student builds, in a paragraph or two.
  var task: String
  /// Functions of the runtime that help, each with why.
  var tools: [String]
  var scenes: [Scene]

  /// The tour's lessons to have seen before.
  var lessons: String

  static func find(_ number: Int) -> Level? { all.first { $0.number == number } }

  static let all: [Level] = [
    Level(
      number: 1, title: "one observer",
      task: """
        Make the first assignment that somebody hears of. When an observer is added, make a subclass \
        of the object's class at run time, give it a setter that calls the original one and then \
        tells the observer, and move the object's isa to it. When the observer is removed, move \
        the isa back. The object goes on claiming to be of its old class. One observer for each \
        object is enough.
        """,
      tools: [
        "isa_class_pair_allocate, isa_class_pair_register: the subclass",
        "isa_class_find_method, isa_method_imp, isa_method_types: the original setter",
        "isa_class_add_callback: a method of any encoding that is a function of yours",
        "isa_invoke: calls the original with the arguments as they came",
        "isa_object_set_class: the isa swap",
        "isa_object_set_associated: something of yours that goes with the object",
      ], scenes: Scene.read(Scenes.one), lessons: "1 to 8"),
    Level(
      number: 2, title: "many observers, held weakly",
      task: """
        Any number of observers, for any key, the same one twice if it likes. Each is told once for \
        each time that it was added, the latest first. Nobody is kept alive: an observer that dies is \
        skipped. Objects of one class share one notifying class.
        """,
      tools: [
        "isa_weak_init, isa_weak_copy, isa_weak_destroy: a reference that is NULL once its object dies",
        "isa_class_find: whether the notifying class is there already",
      ], scenes: Scene.read(Scenes.many), lessons: "10 and 11"),
    Level(
      number: 3, title: "options and contexts",
      task: """
        The values before and after for those who asked for them, a notification at once for \
        STUDENT_INITIAL, one more before each change for STUDENT_PRIOR. A context tells registrations of one observer \
        apart; student_remove_context matches it exactly.
        """,
      tools: ["kvc_copy_value: the value of a key, boxed, with a reference for you"],
      scenes: Scene.read(Scenes.options), lessons: "9 and 10"),
    Level(
      number: 4, title: "lifetimes and callbacks",
      task: """
        Anything may die, and an observer may do anything while it is told: set the key again, remove \
        itself or others, add others, let go of the last reference to itself. Who was removed is not \
        told any more; who was added hears the next change.
        """,
      tools: [
        "isa_object_retain, isa_object_release, isa_object_try_retain",
        "a method dealloc (v@:) of an associated object's class: runs when its owner dies",
      ], scenes: Scene.read(Scenes.lifetimes), lessons: "11"),
    Level(
      number: 5, title: "key paths",
      task: """
        The key may be a path, such as child.count. Whoever watches it is told when the last value \
        changes, or any on the way to it; nil on the way is nil at the end. When a value on the way is \
        replaced, watching moves along, and what is left behind is as before.
        """,
      tools: ["kvc_copy_value_for_path: the value at the end of a path"],
      scenes: Scene.read(Scenes.paths), lessons: "12"),
    Level(
      number: 6, title: "dependent keys",
      task: """
        student_depends declares that some keys, or key paths, affect another. Whoever observes the \
        affected key is told when one of those changes, also through one another, also at the end of a path; \
        once for each change, whatever the routes.
        """,
      tools: ["isa_class_superclass: a subclass adds to what its superclass declares"],
      scenes: Scene.read(Scenes.dependents), lessons: "13"),
    Level(
      number: 7, title: "collections",
      task: """
        Shelf has an array, items, and accessors that insert, remove and replace one element. A call of one of those is told with its kind, its index and the element. student_will_change \
        and student_did_change announce what no accessor does.
        """,
      tools: [
        "kvc_collection_count, kvc_ordered_copy_object: an array's elements",
        "the encodings: v@:@Q to insert, v@:Q to remove, v@:Q@ to replace",
      ], scenes: Scene.read(Scenes.collections), lessons: "14"),
    Level(
      number: 8, title: "threads",
      task: """
        Any thread may set, add and remove at any time. Observers are told on the thread that makes \
        the change, with no lock of yours held; once a removal has returned, the removed one is not \
        told any more.
        """,
      tools: ["pthread_mutex_lock, pthread_mutex_unlock", "_Thread_local"],
      scenes: Scene.read(Scenes.threads), lessons: "11"),
  ]
}
