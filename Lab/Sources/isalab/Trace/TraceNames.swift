import Foundation
import KVOTrace

/// The words for what a trace has: objects, keys, values, places and times.
struct TraceNames {
  let trace: Trace
  let language: Language
  let places: TracePlaces

  init(_ trace: Trace, _ language: Language) {
    (self.trace, self.language) = (trace, language)
    places = TracePlaces(trace)
  }

  /// What stands out, each line of the sources once.
  func summary() -> TraceSummary { trace.summary().joined(by: places) }

  func counts(of summary: TraceSummary) -> String {
    let length = summary.lastTime - min(summary.firstTime, summary.lastTime)
    return say(
      "trace.page-counts",
      [
        "events": summary.eventCount, "threads": summary.threads.count,
        "objects": trace.objects.count, "length": duration(length),
      ])
  }

  func loss(of summary: TraceSummary) -> String {
    summary.lostEvents == 0
      ? say("trace.page-whole")
      : say("trace.page-lost", ["count": Int(clamping: summary.lostEvents)])
  }

  func say(_ key: String, _ places: Places = [:]) -> String {
    language.say(key, places)
  }

  // MARK: Objects and keys

  /// `Order #70`; the address of an object that was not seen.
  func object(_ address: UInt64, at event: UInt64) -> String {
    guard let object = trace.object(address, at: event) else {
      return address == 0 ? "" : "0x" + String(address, radix: 16)
    }
    return name(of: object)
  }

  func name(of object: TraceObject) -> String {
    "\(trace.text(object.className).shown) #\(object.ordinal)"
  }

  /// `Order #70.total`, or what else the event is about.
  func subject(_ event: TraceEvent) -> String {
    let object = object(event.object, at: event.id), key = trace.text(event.name).shown
    switch event.kind {
    case .deallocated, .objectAllocated, .isaSwapped, .weakCleared: return object
    case .message, .wrapperEntered, .wrapperLeft, .originalCalled, .originalReturned:
      return object + "." + trace.text(event.selector).shown
    case .misuse, .spanBegan, .spanEnded, .mark: return key
    default: return object.isEmpty ? key : key.isEmpty ? object : object + "." + key
    }
  }

  func name(of key: TraceKey) -> String { trace.name(of: key).shown }

  // MARK: Values

  func text(of value: TraceValue, at event: UInt64) -> String {
    switch value {
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .bool(let flag): flag ? "true" : "false"
    case .float(let number): "\(number)"
    case .double(let number): "\(number)"
    case .null: "nil"
    case .object(let address): object(address, at: event)
    case .text(let text, let length):
      "\"\(text.shown)\"" + (text.utf8.count < length ? "…" : "")
    case .unrecorded: "…"
    }
  }

  /// `1 → 2`; nil if neither value is known.
  func change(_ old: TraceValue?, _ new: TraceValue?, at event: UInt64) -> String? {
    let texts = [old, new].map { value in value.map { text(of: $0, at: event) } }
    switch (texts[0], texts[1]) {
    case (let old?, let new?): return "\(old) → \(new)"
    case (nil, let new?): return "→ \(new)"
    case (let old?, nil): return "\(old) →"
    default: return nil
    }
  }

  // MARK: Places

  /// `main.swift:36 sell`; nil if the trace does not tell.
  func place(_ origin: TraceOrigin) -> String? {
    if origin.isEmpty { return nil }
    switch places.place(of: origin) {
    case .unknown: return nil
    case .source(let source):
      let file = source.file.split(separator: "/").last.map(String.init) ?? source.file
      let function = source.function.flatMap(TraceNames.short).map { " " + $0 } ?? ""
      return "\(file):\(source.line)".shown + function.shown
    case .code(let code):
      let module = code.module.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? "?"
      return "\(module.shown)+0x\(String(code.address, radix: 16))"
    }
  }

  /// Why a place has no line; nil if it has one, or if there is none.
  func reason(_ origin: TraceOrigin) -> String? {
    guard !origin.isEmpty, case .code(let code) = places.place(of: origin) else { return nil }
    return say(TraceNames.key(of: code.reason))
  }

  private static func key(of reason: TracePlace.Unresolved) -> String {
    switch reason {
    case .noSymbolizer: "trace.no-line-no-symbolizer"
    case .symbolizerFailed: "trace.no-line-symbolizer-failed"
    case .noFile: "trace.no-line-no-file"
    case .changedFile: "trace.no-line-changed-file"
    case .stripped: "trace.no-line-stripped"
    case .noModule: "trace.no-line-no-module"
    }
  }

  private typealias Demangle =
    @convention(c) (
      UnsafePointer<CChar>, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
    ) -> UnsafeMutablePointer<CChar>?

  /// Swift's runtime has it; a symbol of another language stays as it is.
  private static let demangle: Demangle? = dlsym(nil, "swift_demangle").map {
    unsafeBitCast($0, to: Demangle.self)
  }

  /// A function's name without its module, its arguments and its result.
  private static func short(_ symbol: String) -> String? {
    guard !symbol.isEmpty else { return nil }
    guard let demangled = demangle?(symbol, symbol.utf8.count, nil, nil, 0) else { return symbol }
    defer { free(demangled) }
    var name = String(cString: demangled)
    for head in ["specialized ", "partial apply forwarder for ", "reabstraction thunk "]
    where name.contains(head) {
      name = name.replacing(head, with: "")
    }
    let isClosure = name.hasPrefix("closure #") || name.contains(" closure #")
    let inside = name.components(separatedBy: " in ").last ?? name
    let plain = inside.prefix { $0 != "(" && $0 != "<" }.split(separator: ".").last.map(String.init)
    return plain.map { isClosure ? "{} \($0)" : $0 }
  }

  // MARK: Times

  func duration(_ nanoseconds: UInt64) -> String {
    let number = Double(nanoseconds)
    if number >= 1e9 { return say("trace.seconds", ["0": TraceNames.digits(number / 1e9)]) }
    if number >= 1e6 { return say("trace.milliseconds", ["0": TraceNames.digits(number / 1e6)]) }
    return say("trace.microseconds", ["0": TraceNames.digits(number / 1e3)])
  }

  /// Since recording began.
  func moment(_ time: UInt64) -> String {
    let start = trace.header.startTime
    let since = time >= start ? time - start : 0
    return say("trace.milliseconds", ["0": String(format: "%.3f", Double(since) / 1e6)])
  }

  private static func digits(_ number: Double) -> String {
    String(format: number >= 100 ? "%.0f" : number >= 10 ? "%.1f" : "%.2f", number)
  }

  // MARK: Events

  /// The kind as views and pages name it.
  func kind(_ event: TraceEvent) -> String {
    switch event.kind {
    case .didChange: "set"
    case .notification where event.flags.contains(.forwarder): "forwarder"
    case .handlerSent: "sent"
    case .changeHeld: "held"
    case .changeMuted: "muted"
    case .spanBegan: "span"
    case .transactionBegan: "transaction"
    case .observerRefused: "refused"
    case .deallocated: "death"
    case .objectAllocated: "birth"
    case .isaSwapped: "isa"
    case .dependentReached: "dependent"
    default: event.kind.description
    }
  }

  /// The sentences of kinds that have one.
  static let sentences = [
    "set": "trace.kind-set",
    "notification": "trace.kind-notification",
    "handler-arrived": "trace.kind-handler-arrived",
    "sent": "trace.kind-sent",
    "held": "trace.kind-held",
    "muted": "trace.kind-muted",
    "span": "trace.kind-span",
    "transaction": "trace.kind-transaction",
    "observer-added": "trace.kind-observer-added",
    "observer-removed": "trace.kind-observer-removed",
    "refused": "trace.kind-refused",
    "misuse": "trace.kind-misuse",
    "death": "trace.kind-death",
    "birth": "trace.kind-birth",
    "isa": "trace.kind-isa",
    "dependent": "trace.kind-dependent",
    "mark": "trace.kind-mark",
  ]

  /// A sentence about the event.
  func sentence(_ event: TraceEvent) -> String {
    let kind = kind(event), subject = subject(event)
    return TraceNames.sentences[kind].map { say($0, ["0": subject]) } ?? "\(kind) \(subject)"
  }

  /// `Shop (18152)`: the program and its process.
  var program: String {
    let name = trace.modules.first?.path.split(separator: "/").last.map(String.init) ?? "?"
    return "\(name.shown) (\(trace.header.process))"
  }
}
