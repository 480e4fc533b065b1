import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct ValidationTests {
  @Test("a validator lets a value pass, replaces it, or refuses it with a cause")
  func validates() throws {
    try withJudge { judge in
      var age: RuntimeValue = 40
      try judge.validateValue(&age, forKey: "age")
      #expect(age == 40)
      age = 300
      try judge.validateValue(&age, forKey: "age")
      #expect(age == 150)
      #expect(try judge.validated(200, forKey: "age") == 150)
      age = -1
      let refusal = expectError(.invalid, key: "age", className: judge.isa.name) {
        try judge.validateValue(&age, forKey: "age")
      }
      #expect(age == -1)
      #expect(refusal?.exceptionName == "" && refusal?.reason.hasSuffix(": negative") == true)
      #expect(refusal?.underlying as? Refusal == .negative)
    }
  }

  @Test("nil is validated, and an object may take its place")
  func nilValue() throws {
    try withJudge { judge in
      let title = try judge.validated(nil, forKey: "title")
      #expect(title == "untitled")
      #expect(try judge.validated("kept", forKey: "title") == "kept")
    }
  }

  @Test("a key without a validator takes any value, and setting never asks")
  func notAsked() throws {
    try withJudge { judge in
      #expect(try judge.validated("anything", forKey: "wings") == "anything")
      try judge.set("age", -5)
      #expect(try judge.get("age", as: Int.self) == -5)
    }
  }

  @Test("a key path asks the object at its end")
  func keyPaths() throws {
    try withJudge { judge in
      var age: RuntimeValue = 300
      try judge.set("next", judge.isa.allocate())
      try judge.validateValue(&age, forKeyPath: "next.age")
      #expect(age == 150)
      age = -1
      #expect(throws: KeyValueError.self) {
        try judge.validateValue(&age, forKeyPath: "next.age")
      }
      expectError(.undefinedKey, key: "wings", className: judge.isa.name) {
        try judge.validateValue(&age, forKeyPath: "wings.age")
      }
    }
  }
}

private enum Refusal: Error { case negative }

private func withJudge(_ body: (RuntimeObject) throws -> Void) throws {
  try withClass("Judge") { builder in
    try builder.property("age", .int64).property("title", .object).property("next", .object)
      .validator("age") { _, value in
        guard let age = value.int, age >= 0 else { throw Refusal.negative }
        if age > 150 { value = 150 }
      }
      .validator("title") { _, value in if value.isNil { value = "untitled" } }
  } body: { made in
    try body(made.allocate())
  }
}
