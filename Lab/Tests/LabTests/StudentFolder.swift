import Foundation
import Testing

@testable import isalab

extension Folder {
  static let models = tests.appendingPathComponent("Solutions")
}

/// A student's folder: what `lab start` writes, with a solution in the skeleton's place.
final class StudentFolder {
  private let room: TemporaryFolder
  private let level: Int
  let url: URL
  /// Where the student's code is.
  let code: URL

  /// One for all tests, so that the core is built once.
  static let cache = Folder.checkout.appendingPathComponent(".build/lab-cache")

  init(level: Int, solution: String? = nil, language: String = "c") throws {
    room = try TemporaryFolder()
    self.level = level
    url = room.url.appendingPathComponent("mine")
    code = language == "c" ? url : url.appendingPathComponent("Sources/StudentKVO")
    let status = LabRun(console: Output().console).start(
      level, language: language, folder: url.path)
    if status != 0 { throw LabFailure(message: Text(same: "level \(level) cannot be begun")) }
    guard let solution else { return }
    let manager = FileManager.default
    let skeleton = language == "c" ? "student_kvo.c" : "Student.swift"
    try manager.removeItem(at: code.appendingPathComponent(skeleton))
    let source = Folder.models.appendingPathComponent(solution)
    for name in try manager.contentsOfDirectory(atPath: source.path) {
      try manager.copyItem(
        at: source.appendingPathComponent(name), to: code.appendingPathComponent(name))
    }
  }

  /// Replaces the one place where `text` stands.
  func change(_ file: String, _ text: String, to other: String) throws {
    let place = code.appendingPathComponent(file)
    let before = try String(contentsOf: place, encoding: .utf8)
    guard before.components(separatedBy: text).count == 2 else {
      throw LabFailure(message: Text(same: "\(file) has not one '\(text)'"))
    }
    try Data(before.replacingOccurrences(of: text, with: other).utf8).write(to: place)
  }

  func grade(
    level: Int? = nil, library: String? = nil, limit: Double = 20, seed: UInt32? = nil
  ) -> (code: Int32, output: Output) {
    let (lab, output) = lab(library: library, limit: limit, seed: seed)
    return (lab.grade(level ?? self.level, folder: url.path), output)
  }

  /// Plays one case.
  func play(
    _ id: String, seed: UInt32? = nil, kept: String? = nil
  ) -> (code: Int32, output: Output) {
    let (lab, output) = lab(seed: seed)
    return (lab.run(id, level: nil, folder: url.path, kept: kept), output)
  }

  func lab(
    library: String? = nil, limit: Double = 20, seed: UInt32? = nil
  ) -> (LabRun, Output) {
    let output = Output()
    // A first build is said on the way.
    var console = output.console
    console.err = { if !$0.hasPrefix("isalab: building") { output.console.err($0) } }
    let lab = LabRun(
      console: console, library: library, cache: StudentFolder.cache, limit: limit, seed: seed)
    return (lab, output)
  }

  /// Makes the mistake, and checks that grading fails in its case and says why.
  func expectFailure(of solution: WrongSolution) throws {
    try change(solution.file, solution.from, to: solution.to)
    let (code, output) = grade(limit: solution.limit)
    #expect(code == 1)
    let failed = output.out.first { $0.hasPrefix("  failed") } ?? "none: \(output.err)"
    #expect(failed.hasPrefix("  failed  \(solution.caseID) "), "\(output.text)")
    #expect(output.text.contains("\nHint: "))
    if let said = solution.says { #expect(output.text.contains(said), "\(output.text)") }
    #expect(output.out.filter { $0.count > 80 } == [])
  }
}

/// The model solution with one mistake in it.
struct WrongSolution: Sendable, CustomTestStringConvertible {
  var level: Int
  var mistake: String
  var file: String
  var from: String
  var to: String
  var caseID: String
  var says: String?
  var limit = 20.0

  var testDescription: String { "level \(level): \(mistake)" }

  static let all = [
    WrongSolution(
      level: 1, mistake: "forgets the original setter", file: "notifying.c",
      from: "isa_invoke(wrapper->original, wrapper->types, arguments, result);",
      to: "(void)result;",
      caseID: "REG-01", says: "|   nil"),
    WrongSolution(
      level: 1, mistake: "does not lie about its class", file: "notifying.c",
      from: "return original_of(isa_object_get_class(self));",
      to: "return isa_object_get_class(self);", caseID: "SWF-11", says: "StudentKVO_Item"),
    WrongSolution(
      level: 1, mistake: "leaves the isa", file: "notifying.c",
      from: "if (isa_object_get_class(object) != original)", to: "if (false)", caseID: "REM-15"),
    WrongSolution(
      level: 1, mistake: "never ends", file: "change.c", from: "    collect(change);\n",
      to: "    collect(change);\n    for (volatile int i = 0; i < 1; i -= 0) {}\n",
      caseID: "REG-01", says: "it did not end within 1 s", limit: 1),
    WrongSolution(
      level: 2, mistake: "tells in the order of adding", file: "change.c",
      from: "for (size_t i = change->count; i-- > 0;) {",
      to: "for (size_t i = 0; i < change->count; i++) {", caseID: "REG-07"),
    WrongSolution(
      level: 2, mistake: "holds its observers", file: "registration.c",
      from: "isa_weak_init(&made->observer, observer);",
      to: "isa_weak_init(&made->observer, isa_object_retain(observer));", caseID: "REG-26"),
    WrongSolution(
      level: 3, mistake: "takes no context for any", file: "registration.c",
      from: "if (context != NULL && each->context != *context)",
      to: "if (context != NULL && *context != NULL && each->context != *context)",
      caseID: "REM-08", says: "refused"),
    WrongSolution(
      level: 3, mistake: "has an old value initially", file: "registration.c",
      from: ".has_new = registration->options & STUDENT_NEW,",
      to: ".has_new = registration->options & STUDENT_NEW,\n"
        + ".has_old = (registration->options & STUDENT_OLD) != 0,", caseID: "REG-14"),
    WrongSolution(
      level: 4, mistake: "tells whom it has removed", file: "change.c",
      from: "if (!is_removed) pending", to: "pending", caseID: "MAN-11"),
    WrongSolution(
      level: 4, mistake: "finds an observer by its weak reference", file: "registration.c",
      from: "each->observer_address != observer) continue;",
      to: "isa_weak_copy(&each->observer) != observer) continue;", caseID: "LIF-02"),
    WrongSolution(
      level: 4, mistake: "crashes where an observer is dead", file: "change.c",
      from: "if (pending->observer == NULL) return;",
      to: "if (pending->observer == NULL) *(volatile int *)8 = 1;", caseID: "LIF-04",
      says: "it crashed: SIGSEGV"),
    WrongSolution(
      level: 5, mistake: "does not move along", file: "change.c",
      from: "registration_follow(change->pending[i].registration);",
      to: "(void)change->pending[i].registration;", caseID: "PATH-04"),
    WrongSolution(
      level: 5, mistake: "tells with the object that changed", file: "change.c",
      from: ".object = registration->object, .key_path = registration->key_path,\n"
        + "        .context",
      to: ".object = change->object, .key_path = registration->key_path,\n"
        + "        .context", caseID: "PATH-01"),
    WrongSolution(
      level: 6, mistake: "forgets where it has been", file: "follow.c",
      from: "if (add_place(places, object, key, is_end && dot == NULL))\n        follow",
      to: "add_place(places, object, key, is_end && dot == NULL);\n    follow", caseID: "DEP-06",
      says: "SIGSEGV"),
    WrongSolution(
      level: 6, mistake: "asks the class alone", file: "follow.c",
      from: "for (; cls != NULL; cls = isa_class_superclass(cls)) {",
      to: "for (bool more = true; cls != NULL && more; more = find_declaration(cls, key) == NULL,"
        + " cls = isa_class_superclass(cls)) {", caseID: "DEP-27"),
    WrongSolution(
      level: 7, mistake: "tells settings only", file: "change.c",
      from: "return change->kind != STUDENT_SETTING && pending->is_end;",
      to: "return change->kind > 99 && pending->is_end;", caseID: "TOM-06"),
    WrongSolution(
      level: 7, mistake: "forgets the kind at the end of a path", file: "change.c",
      from: "pending->is_end = watch->is_end;",
      to: "pending->is_end = table->watching[i]->object == change->object;", caseID: "PATH-26"),
    WrongSolution(
      level: 8, mistake: "holds its lock while it tells", file: "change.c",
      from: "pthread_mutex_unlock(&student_lock);\n    if (!is_removed) pending->registration->tell"
        + "(pending->observer, change);",
      to: "if (!is_removed) pending->registration->tell(pending->observer, change);\n"
        + "    pthread_mutex_unlock(&student_lock);", caseID: "THR-06",
      says: "a lock that is held", limit: 2),
    WrongSolution(
      level: 8, mistake: "tells whom another thread has removed", file: "change.c",
      from: "if (!is_removed) pending", to: "pending", caseID: "THR-04"),
  ]
}
