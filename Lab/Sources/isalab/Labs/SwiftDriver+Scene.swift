extension SwiftDriver {
  /// Threads.
  static let repetition = #"""
    // MARK: - Later, elsewhere, often

    extension Stage {
      /// Does each line so often, on a thread of its own, and waits.
      private func run(_ lines: [String], times: Int) {
        let group = DispatchGroup()
        for line in lines {
          group.enter()
          let thread = Thread { [self] in
            for _ in 0..<times { perform(line) }
            group.leave()
          }
          thread.stackSize = 8 << 20
          thread.start()
        }
        group.wait()
      }

      private func runOnThread(_ words: Words) {
        run([words.from(1).joined(separator: " ")], times: 1)
      }

      /// race 1000: LINE | LINE: each on a thread of its own, so often, nothing said meanwhile.
      private func race(_ words: Words) {
        guard let times = Int(words[1].dropLast()) else { stop("how often? \(words.line)") }
        transcript.isQuiet = true
        heard = 0
        run(words.rest.split(separator: "|").map(String.init), times: times)
        transcript.isQuiet = false
      }

      /// Comes and goes, with an observer of its own for each thread.
      private func visit(_ words: Words) {
        let mine = Thread.current.threadDictionary
        let visitor = mine["visitor"] as? RuntimeObject ?? allocate("Observer").object
        mine["visitor"] = visitor
        let (object, path) = target(words, 1)
        must {
          try student.add(
            visitor, to: object, keyPath: path, options: [], context: 0, tell: { _, _ in })
          try student.remove(visitor, from: object, keyPath: path, context: nil)
        }
      }
    }
    """#

  /// Level 6.
  static let dependencies = #"""
    // MARK: - Dependent keys

    extension Stage {
      fileprivate func depends(_ words: Words) {
        let (className, key) = words.pair(1)
        guard let cls = RuntimeClass.find(named: className) else {
          stop("there is no class \(className)")
        }
        student.setKeyPaths(Set(words.from(2)), affecting: key, of: cls)
      }
    }
    """#

  static let noDependencies = #"""
    extension Stage {
      fileprivate func depends(_ words: Words) { stop("from level 6 on: \(words.line)") }
    }
    """#

  /// Level 7.
  static let announcements = #"""
    // MARK: - Announcing by hand

    extension Stage {
      fileprivate func announce(_ words: Words) {
        let (object, key) = target(words, 1)
        if words[0] == "will" {
          student.willChange(key, of: object, kind(words))
        } else {
          student.didChange(key, of: object, kind(words))
        }
      }

      private func kind(_ words: Words) -> StudentKind {
        if words.count == 2 { return .setting }
        guard let index = Int(words[3]) else { stop("an index was expected: \(words.line)") }
        return switch words[2] {
        case "insertion": .insertion(at: index)
        case "removal": .removal(at: index)
        case "replacement": .replacement(at: index)
        default: stop("there is no such kind: \(words.line)")
        }
      }
    }
    """#

  static let noAnnouncements = #"""
    extension Stage {
      fileprivate func announce(_ words: Words) { stop("from level 7 on: \(words.line)") }
    }
    """#

  /// `main.swift`.
  static let main = #"""
    // Reads a scene's lines from standard input and plays them.

    import Foundation
    import IsaRuntime

    /// No core dump, no more than 4 MB of output, and a minute: whoever started it may have been killed.
    func limitTheProcess() {
      var none = rlimit(rlim_cur: 0, rlim_max: 0)
      var some = rlimit(rlim_cur: 1 << 22, rlim_max: 1 << 22)
      var minute = rlimit(rlim_cur: 60, rlim_max: 60)
      #if canImport(Glibc)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &some)
        setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &minute)
      #else
        setrlimit(RLIMIT_CORE, &none)
        setrlimit(RLIMIT_FSIZE, &some)
        setrlimit(RLIMIT_CPU, &minute)
      #endif
      alarm(60)
    }

    limitTheProcess()
    setvbuf(stdout, nil, _IOLBF, 0)
    let stage = Stage()
    while let line = readLine() {
      print("> " + line)
      stage.perform(line)
    }
    if RuntimeClass.all.contains(where: \.isNotifying) {
      stop("the library's own observing was used, which is what you are building")
    }
    print("end")
    end(0)
    """#
}
