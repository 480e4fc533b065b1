import CIsa

extension Explanation {
  /// What ends the process, since no status can repair it.
  static let stops: [Explanation] = [
    Explanation(
      code: "STOP", status: nil,
      apple: "The process ends, with a crash or with an exception that nobody catches.",
      lesson: 3,
      mistakes: [
        Mistake(
          title: "a message that nobody answers",
          messages: [
            "%c[%s %s]: unrecognized selector sent to object %p"
          ],
          cause: """
            An object was sent a message that its class has no method for, and no hook \
            gave one: there is no status to answer with.
            """,
          fix: "Look the object's class up; isa_invoke_message answers with a status instead.",
          trial: .stop(.unanswered)),
        Mistake(
          title: "an object used beyond its end",
          messages: [
            "isa_object_release: object %p (%s) was released more often than retained",
            "isa_object_retain: object %p was freed",
            "object %p (%s): references taken during its deallocation outlive it: %zu",
          ],
          cause: """
            It was released more often than retained, retained after its end, or a \
            reference taken in its dealloc was kept.
            """,
          fix: "Pair each retain with one release; take no lasting references in dealloc.",
          trial: .stop(.keptInDealloc)),
        Mistake(
          title: "nothing where something is needed",
          messages: [
            "%s: no class for selector %s",
            "isa_class_add_callback: no class",
            "isa_class_add_ivar: no class",
            "isa_class_add_ivar_at: no class",
            "isa_class_add_property: no class",
            "isa_class_copy_ivars: no class",
            "isa_class_copy_methods: no class",
            "isa_class_copy_properties: no class",
            "isa_class_find_imp: no class",
            "isa_class_find_ivar: no class",
            "isa_class_find_method: no class",
            "isa_class_find_property: no class",
            "isa_class_instance_size: no class",
            "isa_class_is_metaclass: no class",
            "isa_class_is_registered: no class",
            "isa_class_metaclass: no class",
            "isa_class_name: no class",
            "isa_class_pair_dispose: no class",
            "isa_class_pair_register: no class",
            "isa_class_sent_types: no class",
            "isa_class_set_guard: no class",
            "isa_class_set_info: no class",
            "isa_class_set_layout: no class",
            "isa_class_set_memory_hooks: no class",
            "isa_class_set_profile: no class",
            "isa_class_superclass: no class",
            "isa_class_synthesize: no class",
            "isa_invoke: no IMP to call as \"%s\"",
            "isa_invoke_message: no object to receive %s",
            "isa_invoke_message: no selector",
            "isa_ivar_name: no ivar",
            "isa_ivar_offset: no ivar",
            "isa_ivar_ownership: no ivar",
            "isa_ivar_size: no ivar",
            "isa_ivar_types: no ivar",
            "isa_method_class: no method",
            "isa_method_exchange: no method",
            "isa_method_imp: no method",
            "isa_method_selector: no method",
            "isa_method_set_imp: no method",
            "isa_method_types: no method",
            "isa_property_get_info: no property",
            "isa_sel_argument_count: no selector",
            "isa_sel_name: no selector",
            "no callback for an IMP of encoding \"%s\"",
          ],
          cause: "NULL was handed to a function that has no status to answer with.",
          fix: "Look at the status of the call that was to give the class, method or selector.",
          trial: .stop(.noClass)),
        Mistake(
          title: "something else that cannot be repaired",
          messages: [
            "a thread is inside more than %d callouts",
            "isa__class_pair_destroy: %s",
            "isa__lock: lock of rank %d: error %d",
            "isa__thread_enter: no memory for a thread's record",
            "isa__thread_enter: no thread-specific key: error %d",
            "isa_send_value: '%c' is no scalar's letter",
            """
            the notifying method %s was called for object %p of class %s, which never \
            notified
            """,
            "the runtime cannot start: %s",
          ],
          cause: """
            A letter that is no type's, a notifying method of an object that never \
            notified, a limit of the runtime, or a system that refuses what it cannot do \
            without.
            """,
          fix: "Read the sentence: it names what it has.",
          trial: .stop(.noLetter)),
      ])
  ]
}
