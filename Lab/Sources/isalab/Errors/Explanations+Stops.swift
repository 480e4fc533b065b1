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
            "object %p (%s): references taken during its deallocation outlive it: %zu",
          ],
          cause: """
            It was released more often than retained, or a reference taken in its dealloc \
            was kept.
            """,
          fix: "Pair each retain with one release; take no lasting references in dealloc.",
          trial: .stop(.keptInDealloc)),
        Mistake(
          title: "NULL where something is needed",
          messages: [
            "%s: %s is NULL"
          ],
          cause: """
            NULL was handed to a function that needs something there and has no status to \
            answer with.
            """,
          fix: "Look at the status of the call that was to give what is missing.",
          trial: .stop(.noClass)),
        Mistake(
          title: "something else that cannot be repaired",
          messages: [
            "isa__class_pair_destroy: %s",
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
