import Foundation
import Testing

@testable import isalab

@Suite("The served editor", .serialized, .oneAtATime)
struct ServeTests {
  /// Serves while `body` asks.
  private func serving(
    seconds: Double = 60, language: Language = .english, traces: [URL] = [],
    _ body: (Caller) async throws -> Void
  ) async throws {
    let server = PageServer(
      process: Child.process(seconds: seconds), language: language, traces: traces)
    let port = try await server.listen(on: 0)
    do {
      try await body(Caller(port: port))
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  private struct Run: Decodable {
    var marks: [Workshop.Mark]
    var page: String?
  }

  private func run(_ text: String, _ caller: Caller) async throws -> Run {
    let reply = try await caller.post("/run?name=mine.kvo&lang=en", text)
    #expect(reply.status == 200, "\(reply.text)")
    return try JSONDecoder().decode(Run.self, from: Data(reply.body.utf8))
  }

  @Test("the page names no other place, and lets a browser ask none")
  func page() async throws {
    try await serving { caller async throws in
      for path in ["/", "/?lang=zh", "/editor.js", "/editor.css"] {
        let reply = try await caller.get(path)
        #expect(reply.status == 200)
        #expect(!reply.body.contains("://"), "\(path)")
        #expect(reply.header("Cache-Control") == "no-store")
        #expect(reply.header("X-Content-Type-Options") == "nosniff")
        let policy = try #require(reply.header("Content-Security-Policy"))
        #expect(policy.hasPrefix("default-src 'none';") && !policy.contains("*"))
      }
      let page = try await caller.get("/").body
      for document in Lessons.all.map(\.title.english) + ["Removed twice"] {
        #expect(page.contains(document.markup), "\(document)")
      }
      #expect(try await caller.get("/?lang=zh").body.contains("检查练习"))
      #expect(try await caller.get("/nowhere").status == 404)
      #expect(try await caller.get("/runs/../../etc/passwd").status == 404)
      #expect(try await caller.send("PUT / HTTP/1.1\r\nHost: \(caller.host)\r\n\r\n").status == 405)
    }
  }

  @Test("traces have pages of their own, of what they have when they are asked for")
  func traces() async throws {
    let room = try TemporaryFolder()
    let (whole, cut) = (room.file("run.kvotrace"), room.file("<cut>.kvotrace"))
    let scenario = Folder.scenarios.appendingPathComponent("person.kvo").path
    var process = Child.process()
    process.variables = ["ISAKVO_TRACE": whole.path]
    #expect(process.run(["run", scenario])?.hasSucceeded == true)
    try Data(contentsOf: whole).prefix(100).write(to: cut)
    try await serving(traces: [whole, cut]) { caller async throws in
      let page = try await caller.get("/").body
      #expect(page.contains("<a href=\"/traces/1?lang=en\" target=\"_blank\">run.kvotrace</a>"))
      #expect(page.contains(">&lt;cut&gt;.kvotrace</a>"))
      let trace = try await caller.get("/traces/1?lang=zh")
      #expect(trace.status == 200 && trace.body.contains("Person.age"))
      #expect(trace.body.contains("跟踪记录"))
      let broken = try await caller.get("/traces/2")
      #expect(broken.status == 500 && broken.body.contains("cut"))
      for path in ["/traces/0", "/traces/3", "/traces/x", "/traces/1/2"] {
        #expect(try await caller.get(path).status == 404)
      }
    }
  }

  @Test("only this machine's own address is listened at")
  func loopback() async throws {
    try await serving { caller async throws in
      #expect(try await caller.get("/editor.css").status == 200)
      for address in Caller.otherAddresses {
        #expect(!Caller.connects(to: address, caller.port), "\(address)")
      }
    }
  }

  @Test("a request that names another host is refused, as one whose name leads here would")
  func hosts() async throws {
    try await serving { caller async throws in
      for host in ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"] {
        #expect(try await caller.get("/editor.css", host: "\(host):\(caller.port)").status == 200)
      }
      let others = [
        "evil.example:\(caller.port)", "evil.example", "127.0.0.1", "localhost:1",
        "127.0.0.1:\(caller.port).evil.example", "localhost.evil.example:\(caller.port)",
        "0.0.0.0:\(caller.port)", "",
      ]
      for host in others {
        #expect(try await caller.get("/", host: host).status == 421, "\(host)")
        #expect(try await caller.post("/run", "", host: host).status == 421, "\(host)")
      }
      #expect(try await caller.send("GET / HTTP/1.1\r\n\r\n").status == 421)
    }
  }

  @Test("a question that another site's page has a browser ask is refused")
  func origins() async throws {
    try await serving { caller async throws in
      let own = "http://127.0.0.1:\(caller.port)"
      let text = "class A { x: int }\n"
      for headers in [
        ["Origin": own], ["Origin": "http://localhost:\(caller.port)"],
        ["Origin": own, "Sec-Fetch-Site": "same-origin"], ["Sec-Fetch-Site": "none"], [:],
      ] {
        #expect(try await caller.post("/run", text, headers).status == 200, "\(headers)")
      }
      for headers in [
        ["Origin": "http://evil.example"], ["Origin": "null"], ["Origin": "http://127.0.0.1:1"],
        ["Origin": "https://127.0.0.1:\(caller.port)"], ["Origin": own + ".evil.example"],
        ["Origin": own, "Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
      ] {
        for path in ["/run", "/check?lesson=isa-swap"] {
          #expect(try await caller.post(path, text, headers).status == 403, "\(headers)")
        }
      }
    }
  }

  @Test(
    "a refusal is told in the language that the request names, or else in the server's",
    arguments: Language.allCases)
  func refusals(_ language: Language) async throws {
    let other = language == .english ? Language.chinese : .english
    try await serving(language: language) { caller async throws in
      let head = "POST /run HTTP/1.1\r\nHost: \(caller.host)\r\n"
      let put = "PUT / HTTP/1.1\r\nHost: \(caller.host)\r\n\r\n"
      let told: [(String, Caller.Reply)] = [
        (
          language.say("serve.no-host", ["port": Int(caller.port)]),
          try await caller.get("/", host: "evil.example")
        ),
        (
          language.say("serve.no-site"), try await caller.post("/run", "", ["Origin": "null"])
        ),
        (language.say("serve.no-method"), try await caller.send(put)),
        (
          language.say("serve.no-length"),
          try await caller.send(head + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        ),
        (
          language.say("serve.too-long", ["bytes": Desk.mostBytes]),
          try await caller.send(head + "Content-Length: 100000000\r\n\r\n")
        ),
        (language.say("serve.no-text"), try await caller.post("/run", bytes: [0xFF, 0xFE])),
        (language.say("serve.no-page"), try await caller.get("/nowhere")),
        (language.say("serve.no-lesson"), try await caller.post("/check?lesson=none", "")),
        (language.say("serve.no-question"), try await caller.post("/nowhere", "")),
        (other.say("serve.no-page"), try await caller.get("/nowhere?lang=\(other.rawValue)")),
      ]
      for (sentence, reply) in told {
        #expect(reply.status >= 400 && reply.body == sentence + "\n", "\(sentence)")
      }
    }
  }

  @Test("a long body is refused before it has come, and nothing in it is a request")
  func longBodies() async throws {
    try await serving { caller async throws in
      let head = "POST /run HTTP/1.1\r\nHost: \(caller.host)\r\nContent-Length: "
      #expect(try await caller.send(head + "100000000000\r\n\r\nclass").status == 413)
      #expect(try await caller.send(head + "\(Desk.mostBytes + 1)\r\n\r\n").status == 413)
      let inside = "GET /editor.css HTTP/1.1\r\nHost: \(caller.host)\r\n\r\n"
      let many = String(repeating: inside, count: 8000)
      for refused in [
        "POST /run HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 8000\r\n\r\n"
          + many.prefix(8000),
        "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n" + inside,
      ] {
        let reply = try await caller.send(refused)
        #expect(reply.status == 421)
        #expect(reply.text.components(separatedBy: "HTTP/1.1 ").count == 2)
      }
      // The system may take an answer back that comes while the question is still being sent.
      let reply = try await caller.send(head + "\(many.utf8.count)\r\n\r\n" + many)
      #expect(reply.text.isEmpty || reply.status == 413)
      #expect(reply.text.components(separatedBy: "HTTP/1.1 ").count <= 2)
      let chunked =
        "POST /run HTTP/1.1\r\nHost: \(caller.host)\r\nTransfer-Encoding: chunked\r\n\r\n"
      #expect(try await caller.send(chunked + "5\r\nclass\r\n0\r\n\r\n").status == 411)
      let comment = "#" + String(repeating: "x", count: Desk.mostBytes - 2) + "\n"
      #expect(try await caller.post("/run", comment).status == 200)
      #expect(try await caller.post("/run", bytes: [0xFF, 0xFE]).status == 400)
    }
  }

  @Test("a scenario's run comes as the page that is exported")
  func runs() async throws {
    let file = Folder.scenarios.appendingPathComponent("person.kvo")
    let text = try String(contentsOf: file, encoding: .utf8)
    let program = try ScenarioFile.program(of: text, file: "mine.kvo")
    let exported = Page(run: Runner.run(program), title: "mine.kvo").html()
    try await serving { caller async throws in
      let answer = try await run(text, caller)
      #expect(answer.marks == [])
      let page = try await caller.get(try #require(answer.page))
      #expect(page.status == 200 && page.body == exported)
      let policy = try #require(page.header("Content-Security-Policy"))
      #expect(policy.hasPrefix("default-src 'none';") && !policy.contains("connect-src"))
    }
  }

  @Test("mistakes come with their places: of the text, of its keys, of what it expects")
  func marks() async throws {
    try await serving { caller async throws in
      let wrong = try await run("class A { x: int }\nlet a = B()\n", caller)
      #expect(wrong.page == nil && wrong.marks.map(\.line) == [2])
      #expect(wrong.marks.map(\.column) == [9] && wrong.marks[0].text.contains("'B'"))
      let warned = try await run("class A { age: int }\nlet a = A()\nobserve a.agee as t\n", caller)
      #expect(warned.marks.contains { $0.isWarning && $0.line == 3 && $0.text.contains("'age'") })
      let broken = try await run("class A { x: int }\nlet a = A()\nexpect a.x == 3\n", caller)
      #expect(broken.page != nil && broken.marks.map(\.line) == [3])
    }
  }

  @Test("what does not end is ended, and the server goes on")
  func endless() async throws {
    let endless = """
      class A { x: int }
      let a = A()
      observe a.x as t
      on t repeat 100 a.x = 1
      repeat 1000000 a.x = 2

      """
    try await serving { caller async throws in
      let reply = try await caller.post("/run?name=mine.kvo", endless)
      let answer = try JSONDecoder().decode(Run.self, from: Data(reply.body.utf8))
      #expect(answer.page == nil && !answer.marks.isEmpty)
      #expect(try await run("class A { x: int }\n", caller).marks == [])
    }
    try await serving(seconds: 0.001) { caller async throws in
      let answer = try await run("class A { x: int }\n", caller)
      #expect(answer.page == nil && answer.marks.map(\.line) == [1])
      #expect(answer.marks[0].text.contains("has not come to an end within 0.001 seconds"))
      #expect(try await caller.get("/editor.css").status == 200)
    }
  }

  @Test("few run at a time, some wait, and more are told to come again")
  func crowd() async {
    let workshop = Workshop(Child.process(), most: 1, mostWaiting: 2)
    let answers = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          await workshop.run(
            "class A { x: int }\n", name: "a.kvo", under: [Designs.engine], .english) != nil
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.filter(\.self).count == 3)
    #expect(await workshop.run("", name: "a.kvo", under: [Designs.engine], .english) != nil)
  }

  @Test("a scenario runs under the design that one asks for, or under some beside each other")
  func designs() async throws {
    let text = "class K { x: int }\nlet k = K()\nobserve k.x options(new) as t\nk.x = 1\n"
    try await serving { caller async throws in
      for (designs, words) in [
        ("mk-strong", "MKKVO_K"), ("isakvo", "NSKVONotifying_K"),
        ("apple,mk-strong,isakvo", "srcdoc"),
      ] {
        let reply = try await caller.post("/run?name=a.kvo&lang=en&design=" + designs, text)
        let run = try JSONDecoder().decode(Run.self, from: Data(reply.body.utf8))
        #expect(run.marks.isEmpty, "\(designs)")
        let page = try await caller.get(try #require(run.page))
        #expect(page.status == 200 && page.body.contains(words), "\(designs)")
      }
      for designs in ["nobody", "", "a,,b", "stages", String(repeating: "isakvo,", count: 40)] {
        let reply = try await caller.post("/run?name=a.kvo&lang=en&design=" + designs, text)
        #expect(reply.status == 400 && reply.text.contains("more than 3"), "\(designs)")
      }
    }
  }

  @Test("an exercise is judged as isalab check judges it")
  func exercises() async throws {
    let file = Folder.solutions.appendingPathComponent("isa-swap.kvo")
    let solution = try String(contentsOf: file, encoding: .utf8)
    try await serving { caller async throws in
      for (text, isSolved) in [(solution, true), ("", false), ("let = 3\n", false)] {
        let reply = try await caller.post("/check?lesson=isa-swap&lang=en&name=isa-swap", text)
        let said = try JSONDecoder().decode(Workshop.Judgement.self, from: Data(reply.body.utf8))
        #expect(said.isSolved == isSolved && !said.lines.isEmpty, "\(text)")
        if !text.isEmpty, !isSolved { #expect(said.lines[0].contains("isa-swap.kvo:1:5")) }
      }
      #expect(try await caller.post("/check?lesson=none", "").status == 404)
    }
  }

  @Test("the pages are those of a lecture, exhibits and articles among them")
  func lecture() async throws {
    let lecture = Lecture(lessons: Lessons.all, language: .chinese, process: Child.process())
    try await serving { caller async throws in
      let name = LessonPage.file(0, of: Lessons.all)
      for name in [name, "index.html", "museum-second-observer.html", "article-mkkvo-02.html"] {
        #expect(try await caller.get("/lecture/zh/" + name).body == lecture.page(name), "\(name)")
      }
      #expect(try await caller.get("/lecture/zh/nothing.html").status == 404)
      #expect(try await caller.get("/lecture/fr/" + name).status == 404)
    }
  }

  @Test("a file's name is no way out of its folder")
  func names() {
    for name in ["../../x", "/etc/x", ".x", "-x", "a b", "a\u{0}", "", nil] {
      #expect(ServeWords.fileName(name) == "scenario.kvo", "\(name ?? "nil")")
    }
    #expect(ServeWords.fileName("isa-swap") == "isa-swap.kvo")
    #expect(ServeWords.fileName("my.kvo") == "my.kvo")
  }

  @Test("the command says where the page is, and an interrupt ends it with success")
  func command() async throws {
    let file = Folder.scenarios.appendingPathComponent("person.kvo").path
    let pipe = Pipe()
    let process = Process()
    process.executableURL = Child.executable
    process.arguments = ["serve", file, "--lang", "en"]
    process.standardOutput = pipe
    try process.run()
    var said = ""
    while !said.contains("\n") {
      let part = pipe.fileHandleForReading.availableData
      if part.isEmpty { break }
      said += String(decoding: part, as: UTF8.self)
    }
    let port = try #require(said.firstMatch(of: #/http://127\.0\.0\.1:(\d+)/ /#)?.1)
    let caller = Caller(port: try #require(UInt16(port)))
    #expect(try await caller.get("/").body.contains("person.kvo"))
    let second = try Child.run(["serve", "--port", String(port), "--lang", "en"])
    #expect(second.end == .exit(2) && second.errors.contains("port \(port) cannot be used"))
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    #expect(try Child.run(["serve", "/nowhere.kvo"]).end == .exit(2))
  }
}
