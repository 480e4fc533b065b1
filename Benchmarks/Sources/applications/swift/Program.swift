import CScript

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An application, made by one subject's means.
protocol Program: AnyObject {
  /// Carries out an operation; of a script with locks, under the lock of its place.
  func perform(_ operation: operation, on thread: Int)
  /// Says what was told and what the values are. Called once, after the last operation.
  func write(to answer: UnsafeMutablePointer<answer>)
}

private final class Held {
  let program: any Program
  init(_ program: any Program) { self.program = program }
}

/// Hands a program to the runner, which ends it.
func handOver(_ program: any Program) -> UnsafeMutableRawPointer {
  Unmanaged.passRetained(Held(program)).toOpaque()
}

extension application {
  /// An application of that name, as the runner takes it.
  init(_ name: String, make: @escaping @convention(c) () -> UnsafeMutableRawPointer?) {
    self.init()
    self.name = UnsafePointer(strdup(name))
    self.make = make
    perform = { context, thread, operation in
      guard let context, let operation else { return }
      Unmanaged<Held>.fromOpaque(context)._withUnsafeGuaranteedRef {
        $0.program.perform(operation.pointee, on: Int(thread))
      }
    }
    answer = { context, answer in
      guard let context, let answer else { return }
      Unmanaged<Held>.fromOpaque(context).takeUnretainedValue().program.write(to: answer)
    }
    end = { context in
      guard let context else { return }
      Unmanaged<Held>.fromOpaque(context).release()
    }
  }
}

/// Runs a subject's applications, as the command line behind the subject's name says.
func run(_ applications: [application], of name: String) -> Never {
  var subject = subject()
  subject.name = UnsafePointer(strdup(name))
  subject.language = UnsafePointer(strdup("Swift"))
  let code = applications.withUnsafeBufferPointer { applications in
    subject.applications = applications.baseAddress
    subject.count = applications.count
    return applications_main(&subject, CommandLine.argc - 1, CommandLine.unsafeArgv + 1)
  }
  exit(code)
}

/// A part of a script's surroundings, all zero.
func makeZeroed<Part>(_ part: Part) -> UnsafeMutablePointer<Part> {
  let memory = UnsafeMutablePointer<Part>.allocate(capacity: 1)
  memory.initialize(to: part)
  return memory
}
