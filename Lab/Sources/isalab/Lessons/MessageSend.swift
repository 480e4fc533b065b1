extension Lessons {
  static let messageSend = lesson(
    "message-send", PackageResources.message_send_lesson,
    choices: [
      { ownerOfSetter($0) == "Person" },
      { ownerOfSetter($0) == "Doctor" },
      { ownerOfSetter($0) == nil },
    ])

  private static func ownerOfSetter(_ run: Run) -> String? {
    run.after("eve.age = 31")?.implementation("setAge:", in: "Doctor")?.owner
  }
}
