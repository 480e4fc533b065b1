internal import CIsa

/// The event log of this process in a file: each change, who was notified of it and why, and who
/// observes.
///
///     let file = try KeyValueTrace.start(to: "run-%p.kvotrace")
///     KeyValueTrace.span("import") { importOrders() }
///     KeyValueTrace.stop()
///
/// The file is complete at any moment, however the process ends; one that ends as usual stops the
/// trace. There is one trace at a time, of all threads. A program that is not to be changed is traced
/// by variables of its environment, `ISAKVO_TRACE` and others.
public enum KeyValueTrace {
  /// How a trace is recorded.
  public struct Options: Sendable {
    /// The events that are kept when the file has reached its limit.
    public enum Keep: String, CaseIterable, Sendable {
      /// The first ones: recording ends.
      case first
      /// The latest ones; the file says how many were lost.
      case latest
    }

    /// The events with which the calls are recorded that have led to them.
    public enum Stacks: String, CaseIterable, Sendable {
      case registrations
      case none
      /// Sets, changes announced by hand, removals and spans too.
      case all
    }

    /// The values that are recorded.
    public enum Values: String, CaseIterable, Sendable {
      case numbers
      case none
      /// Texts too, which may be passwords.
      case all
    }

    /// The most bytes that the file may have, from 1 MiB to 64 GiB.
    public var limit: Int
    /// The events that are kept at the limit.
    public var keep: Keep
    /// The events with which the calls are recorded that have led to them.
    public var stacks: Stacks
    /// The values that are recorded.
    public var values: Values
    /// The names of the classes whose objects are recorded, `*` at an end for any text; nil: all.
    public var classes: [String]?

    /// The defaults, or others.
    public init(
      limit: Int = 256 << 20, keep: Keep = .first, stacks: Stacks = .registrations,
      values: Values = .numbers, classes: [String]? = nil
    ) {
      self.limit = limit
      self.keep = keep
      self.stacks = stacks
      self.values = values
      self.classes = classes
    }
  }

  /// Records the events from here on.
  ///
  /// - Parameters:
  ///   - path: `%p` in it stands for the number of the process, `%%` for `%`. If another process
  ///     records there, a point and the number are added.
  ///   - options: If nil, the options that the variables of the environment give.
  /// - Returns: The path of the file.
  /// - Throws: `KeyValueError.Code.inUse` while another trace is recorded;
  ///   `KeyValueError.Code.exists` for a file that is no trace of this user's, which stays as it is;
  ///   `KeyValueError.Code.fileFailed`; `KeyValueError.Code.invalidArgument` for an empty path or a
  ///   limit out of range; `KeyValueError.Code.outOfMemory`.
  @discardableResult
  public static func start(
    to path: String, options: Options? = nil
  ) throws(KeyValueError) -> String {
    try KeyValueError.check(path.withCString { begin($0, options) })
    return self.path ?? path
  }

  /// Ends the trace and closes its file. Returns whether one was recorded: it may have reached its
  /// limit before.
  @discardableResult
  public static func stop() -> Bool { isa_trace_stop() == ISA_OK }

  /// The path of the file that is recorded into; nil if none is.
  public static var path: String? {
    guard let text = isa_trace_copy_path() else { return nil }
    defer { isa_free(text) }
    return String(cString: text)
  }

  /// Records an event with a text of the program's own. Costs next to nothing while nobody listens.
  public static func mark(_ text: String) {
    if isa_event_kinds_wanted() != 0 { isa_trace_mark(text) }
  }

  /// Runs `body` as a span, which is the cause of what happens in it on this thread. Spans of a
  /// thread lie one inside the other.
  public static func span<Result, Failure: Error>(
    _ text: String, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if isa_event_kinds_wanted() == 0 { return try body() }
    let span = isa_trace_begin(text)
    defer { isa_trace_end(span, text) }
    return try body()
  }

  private static func begin(_ path: UnsafePointer<CChar>, _ options: Options?) -> Outcome {
    guard let options else { return Outcome(isa_trace_start(path, nil)) }
    var wishes = isa_trace_options()
    wishes.limit = UInt64(max(options.limit, 1))
    wishes.keep = isa_trace_keep(place(of: options.keep))
    wishes.stacks = isa_trace_stacks(place(of: options.stacks))
    wishes.values = isa_trace_values(place(of: options.values))
    return withCStrings([options.classes?.joined(separator: ",")]) { texts in
      wishes.classes = texts[0]
      return Outcome(isa_trace_start(path, &wishes))
    }
  }

  /// The cases stand in the order of the core's constants.
  private static func place<Choice: CaseIterable & Equatable>(of choice: Choice) -> UInt32 {
    UInt32(Array(Choice.allCases).firstIndex(of: choice)!)
  }
}
