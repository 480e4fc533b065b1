/// Makes places in the sources of what a trace has: lines, calls and code.
///
/// The addresses of all recorded calls are resolved when the first of them is asked for, by one
/// process of `llvm-symbolizer`, or of `addr2line` for each module. Without either, and for modules
/// that do not tell lines or have changed, a place is an address in a module.
///
/// Threads: one at a time.
package final class TracePlaces {
  private let trace: Trace
  private let symbolizer: Symbolizer?
  private let modules: ModuleFiles
  private var frames: [UInt64: [SymbolizedFrame]] = [:]
  private var isPrepared = false
  private var hasFailed = false
  private var known: [TraceOrigin: TracePlace] = [:]

  /// Places of the trace. `symbolizer` is the path of a program, or nil to look for one.
  ///
  /// - Parameter timeout: Seconds that the program may take.
  package convenience init(_ trace: Trace, symbolizer: String? = nil, timeout: Double = 60) {
    self.init(
      trace,
      symbolizer: symbolizer.map { Symbolizer(path: $0, timeout: timeout) }
        ?? Symbolizer.find(timeout: timeout))
  }

  init(_ trace: Trace, symbolizer: Symbolizer?) {
    self.trace = trace
    self.symbolizer = symbolizer
    modules = ModuleFiles(trace.modules)
  }

  /// Where it was: the source line of the event, or of the innermost call outside of the library.
  package func place(of origin: TraceOrigin) -> TracePlace {
    let shown = origin.shown
    if let place = known[shown] { return place }
    let place = find(shown)
    known[shown] = place
    return place
  }

  private func find(_ origin: TraceOrigin) -> TracePlace {
    if origin.hasLine {
      return .source(
        TracePlace.Source(file: trace.text(origin.file), line: origin.line, function: nil))
    }
    // A call returns behind itself: one byte before is still within.
    let addresses =
      origin.stack != 0
      ? trace.calls(ofStack: origin.stack).map { $0 &- 1 } : [origin.callback].filter { $0 != 0 }
    guard !addresses.isEmpty else { return .unknown }
    prepare(with: addresses)
    return source(addresses) ?? code(addresses)
  }

  private func source(_ addresses: [UInt64]) -> TracePlace? {
    for address in addresses {
      let module = modules.module(at: address)
      let isLibrary = module?.isLibrary ?? false
      // What lies further out is not the place.
      if let module, !isLibrary, modules.reason(against: module) != nil { return nil }
      if module == modules.program, isWithoutLine(frames[address] ?? []) { return nil }
      for frame in frames[address] ?? [] where !isLibrary && frame.isOutsideOfLibrary {
        guard frame.line > 0 else { continue }
        return .source(
          TracePlace.Source(file: frame.file, line: frame.line, function: frame.function))
      }
    }
    return nil
  }

  /// Whether it is code of the program, and not the library's within it, that has no line.
  private func isWithoutLine(_ frames: [SymbolizedFrame]) -> Bool {
    frames.allSatisfy { $0.line == 0 } && (frames.first?.isOutsideOfLibrary ?? true)
  }

  private func code(_ addresses: [UInt64]) -> TracePlace {
    let address = outside(addresses) ?? addresses[0]
    guard let module = modules.module(at: address) else {
      return .code(TracePlace.Code(module: nil, address: address, reason: .noModule))
    }
    return .code(
      TracePlace.Code(
        module: module.path, address: address &- module.bias, reason: reason(for: module)))
  }

  /// The innermost call outside of the library, where no line says which one that is.
  private func outside(_ addresses: [UInt64]) -> UInt64? {
    var found: UInt64?, isBehindCall = false
    for address in addresses {
      let frame = frames[address]?.first
      let isLibrary = modules.module(at: address).map(\.isLibrary) ?? true
      if isLibrary || frame?.isOutsideOfLibrary == false {
        // What seemed to be outside has been called by the library.
        found = nil
        isBehindCall = frame?.isCallOfCore ?? true
        continue
      }
      found = found ?? address
      if isBehindCall || frame?.mayBeOfLibrary != true { break }
    }
    return found
  }

  private func reason(for module: TraceModule) -> TracePlace.Unresolved {
    if let reason = modules.reason(against: module) { return reason }
    if symbolizer == nil { return .noSymbolizer }
    return hasFailed ? .symbolizerFailed : .stripped
  }

  // ---- addresses ----

  private func prepare(with addresses: [UInt64]) {
    var wanted = Set(addresses)
    if !isPrepared { wanted.formUnion(addressesOfTrace()) }
    isPrepared = true
    let new = wanted.filter { frames[$0] == nil }
    guard !new.isEmpty, let symbolizer else { return }
    resolve(new.sorted(), symbolizer)
  }

  private func addressesOfTrace() -> [UInt64] {
    var addresses = trace.allCalls.map { $0 &- 1 }
    for event in trace.structureEvents ?? trace.events where event.kind == .observerAdded {
      let origin = TraceOrigin(event).shown
      if origin.callback != 0 { addresses.append(origin.callback) }
    }
    return addresses
  }

  private func resolve(_ addresses: [UInt64], _ symbolizer: Symbolizer) {
    var asked: [SymbolizerQuestion] = []
    var answered: [UInt64] = []
    for address in addresses {
      frames[address] = []
      guard let module = modules.module(at: address), !module.isLibrary,
        modules.reason(against: module) == nil
      else { continue }
      asked.append(SymbolizerQuestion(module: module.path, address: address &- module.bias))
      answered.append(address)
    }
    guard !asked.isEmpty else { return }
    guard let answers = symbolizer.ask(asked) else {
      hasFailed = true
      return
    }
    for (address, answer) in zip(answered, answers) { frames[address] = answer }
  }
}

extension Trace {
  /// The addresses of all calls of all stacks, each once.
  fileprivate var allCalls: Set<UInt64> { structure.stacks.reduce(into: []) { $0.formUnion($1) } }
}

extension TraceModule {
  /// Whether the module is the library alone. A program may have the library in itself.
  var isLibrary: Bool {
    let lower = name.lowercased()
    return lower.hasPrefix("libcisa") || lower.hasPrefix("libisa")
  }
}

/// The files of modules, as they are now.
private final class ModuleFiles {
  private let modules: [TraceModule]
  private var reasons: [TraceModule: TracePlace.Unresolved?] = [:]

  init(_ modules: [TraceModule]) { self.modules = modules }

  /// The first module is the program's.
  var program: TraceModule? { modules.first }

  /// A module that was unloaded may share addresses with one that came later.
  func module(at address: UInt64) -> TraceModule? {
    modules.last { $0.addresses.contains(address) }
  }

  /// Why the file can tell nothing of the module; nil: it may.
  func reason(against module: TraceModule) -> TracePlace.Unresolved? {
    if let known = reasons[module] { return known }
    let reason = find(module)
    reasons[module] = .some(reason)
    return reason
  }

  private func find(_ module: TraceModule) -> TracePlace.Unresolved? {
    guard let file = ModuleFile(path: module.path) else { return .noFile }
    let isAnother = !module.buildID.isEmpty && file.buildID != module.buildID
    return isAnother ? .changedFile : nil
  }
}
