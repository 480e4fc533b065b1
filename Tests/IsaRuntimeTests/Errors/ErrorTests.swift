import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .leavesNothing)
struct ErrorTests {
  @Test("every error says in one line what went wrong", arguments: KeyValueError.Code.allCases)
  func descriptions(code: KeyValueError.Code) {
    let error = KeyValueError(code, key: "k", className: "C")
    #expect(!error.description.isEmpty && !error.description.contains("\n"))
  }

  @Test("an error that is made without a reason names its key and class, as far as it has them")
  func withoutReason() {
    #expect("\(KeyValueError(.notFound))" == "nothing of that name")
    #expect("\(KeyValueError(.notFound, key: "k"))" == "“k”: nothing of that name")
    #expect("\(KeyValueError(.notFound, className: "C"))" == "C: nothing of that name")
    let error = KeyValueError(.notFound, key: "k", className: "C", cure: "look elsewhere")
    #expect("\(error)" == "“k” of C: nothing of that name: look elsewhere")
    let invalid = KeyValueError(.invalid, key: "k", className: "C", keyPath: "a.k")
    #expect("\(invalid)" == "“k” of C: the value is not valid, on the key path “a.k”")
  }

  @Test("an error's text ends in its cure")
  func cure() {
    let error = KeyValueError(.undefinedKey, reason: "C has no k", cure: "wrap it with @Dynamic")
    #expect("\(error)" == "C has no k: wrap it with @Dynamic")
  }

  @Test(
    "every error names the exception that Foundation raises",
    arguments: [
      (.outOfMemory, "NSMallocException"), (.notFound, "NSInvalidArgumentException"),
      (.undefinedKey, "NSUnknownKeyException"), (.outOfRange, "NSRangeException"),
      (.nilValue, "NSInvalidArgumentException"), (.notRegistered, "NSRangeException"),
      (.overflow, "NSDecimalNumberOverflowException"), (.invalid, ""),
    ] as [(KeyValueError.Code, String)])
  func exceptions(code: KeyValueError.Code, name: String) {
    #expect(KeyValueError(code).exceptionName == name)
  }

  @Test("an error says what the runtime noted")
  func details() throws {
    try withPerson { person in
      let error = expectError(.nilValue, key: "age") { try person.setValue(nil, forKey: "age") }
      #expect(error?.exceptionName == "NSInvalidArgumentException")
      #expect(error?.reason.contains("setNilValueForKey") == true)
    }
  }
}
