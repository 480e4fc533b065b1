package import IsaKVO
internal import IsaRuntime
import Testing

/// An object with a property of each kind that a change by hand can be of, once with a key that
/// notifies by itself and once with one that does not.
package final class Announced: KVObject {
  @Dynamic package var name = "a"
  @Dynamic package var list = ["a"]
  @Dynamic package var tags: Set<String> = ["a"]
  @Dynamic package var manualName = "a"
  @Dynamic package var manualList = ["a"]
  @Dynamic package var manualTags: Set<String> = ["a"]
  @Dynamic package var other = 0

  package override class var keys: [KeyDeclaration] {
    [
      .key("manualName", \Announced.manualName, notifiesAutomatically: false),
      .key("manualList", \Announced.manualList, notifiesAutomatically: false),
      .key("manualTags", \Announced.manualTags, notifiesAutomatically: false),
    ]
  }
}

/// One way to announce a change by hand, of one kind of key, in one surrounding.
package struct Announcement: Sendable, CustomTestStringConvertible {
  package enum Form: String, CaseIterable, Sendable { case setting, indexed, set }
  package enum Spelling: String, CaseIterable, Sendable {
    case named = "by name"
    case typed
    case bracket = "as a bracket"
  }

  package let form: Form
  package let spelling: Spelling
  package let isManual: Bool
  package let isOtherObserved: Bool

  /// All there are of some spellings.
  package static func all(_ spellings: [Spelling]) -> [Announcement] {
    Form.allCases.flatMap { form in
      spellings.flatMap { spelling in
        [(false, false), (false, true), (true, false), (true, true)].map { isManual, isOther in
          Announcement(
            form: form, spelling: spelling, isManual: isManual, isOtherObserved: isOther)
        }
      }
    }
  }

  package var testDescription: String {
    "\(form.rawValue) \(spelling.rawValue), \(isManual ? "manual" : "automatic") key, "
      + (isOtherObserved ? "another key observed too" : "nothing else observed")
  }

  package var key: String {
    switch form {
    case .setting: isManual ? "manualName" : "name"
    case .indexed: isManual ? "manualList" : "list"
    case .set: isManual ? "manualTags" : "tags"
    }
  }

  package var name: KeyPath<Announced, String> { isManual ? \.manualName : \.name }
  package var list: KeyPath<Announced, [String]> { isManual ? \.manualList : \.list }
  package var tags: KeyPath<Announced, Set<String>> { isManual ? \.manualTags : \.tags }

  /// Checks that an observer is told once what `announce` announces: the removal of the first
  /// element, the addition of "b" to the set, or a setting.
  package func check(
    sourceLocation: SourceLocation = #_sourceLocation, _ announce: (Announced) throws -> Void
  ) throws {
    let object = Announced(), told = Recorder<RuntimeChange>()
    let seen = try RuntimeObject(object).observe(key, options: [.old, .new]) { told.add($0) }
    let other = isOtherObserved ? try RuntimeObject(object).observe("other") { _ in } : nil
    try announce(object)
    #expect(told.all.map(\.kind) == [kind], sourceLocation: sourceLocation)
    switch form {
    case .setting: #expect(told.last?.newValue == "a", sourceLocation: sourceLocation)
    case .indexed: #expect(told.last?.oldValue?.array == ["a"], sourceLocation: sourceLocation)
    case .set: #expect(told.last?.newValue?.set == ["b"], sourceLocation: sourceLocation)
    }
    told.clear()
    seen.invalidate()
    other?.invalidate()
  }

  private var kind: ChangeKind {
    switch form {
    case .setting: .setting
    case .indexed: .removal
    case .set: .insertion
    }
  }
}
