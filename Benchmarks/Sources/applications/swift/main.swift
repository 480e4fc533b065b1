// The driver of the applications in Swift: the first argument names the subject.
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

let subjects = [
  "isakvo-swift": keyValueApplications, "swift-observation": observableApplications,
  "opencombine": publishedApplications, "didset": handWrittenApplications,
]

let name = CommandLine.arguments.dropFirst().first ?? ""
guard let applications = subjects[name] else {
  let names = subjects.keys.sorted().joined(separator: "|")
  "usage: applications-swift \(names) …\n".withCString { _ = write(STDERR_FILENO, $0, strlen($0)) }
  exit(2)
}
run(applications, of: name)
