import CPaired

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A driver's whole main function: reads the command line, measures, prints a line a row, exits.
///
/// - Parameter skipped: How many arguments stand before those of the harness.
/// - Parameter beside: A row in C that runs before and after every sample, and shows how slow the
///   machine is at that moment.
/// - Parameter surroundings: Those that the rows are measured in with `--surroundings program`.
public func drive(
  _ workloads: [Workload], behind skipped: Int = 0, beside: UnsafePointer<paired_workload>? = nil,
  within surroundings: UnsafePointer<paired_surroundings>? = nil
) -> Never {
  let rows = lasting(workloads)
  paired_run_beside(beside)
  paired_surround_by(surroundings)
  let arguments = CommandLine.unsafeArgv + skipped
  arguments[0] = CommandLine.unsafeArgv[0]
  let code = paired_main(
    rows.baseAddress, rows.count, CommandLine.argc - Int32(skipped), arguments)
  exit(code)
}

/// The rows as the harness knows them, each with its rival. They live as long as the process.
private func lasting(_ workloads: [Workload]) -> UnsafeMutableBufferPointer<paired_workload> {
  let rows = UnsafeMutableBufferPointer<paired_workload>.allocate(capacity: workloads.count)
  _ = rows.initialize(from: workloads.map(\.row))
  for (row, workload) in zip(rows.indices, workloads) {
    guard let name = workload.rival else { continue }
    guard let rival = workloads.firstIndex(where: { $0.name == name }) else {
      fatalError("\(workload.name): no row is called \(name)")
    }
    rows[row].rival = rows.baseAddress.map { UnsafePointer($0 + rival) }
  }
  return rows
}

/// Keeps what makes the work where C can hold on to it.
private final class Maker {
  let make: () throws -> any Work
  init(_ make: @escaping () throws -> any Work) { self.make = make }
}

private final class Holder {
  let work: any Work
  init(_ work: any Work) { self.work = work }
}

extension Workload {
  /// The row as the harness knows it. Its texts live as long as the process.
  fileprivate var row: paired_workload {
    var row = paired_workload()
    row.name = lasting(name)
    row.subject = lasting(subject)
    row.language = lasting("Swift")
    row.group = group.constant
    row.unit = unit.flatMap(lasting)
    row.partner = partner.flatMap(lasting)
    row.goal_is_count = goalIsCount
    row.goal = goal ?? 0
    row.series = place.flatMap { lasting($0.series) }
    row.x_name = place.flatMap { lasting($0.xName) }
    row.x = place?.x ?? 0
    row.operations = Double(operations)
    row.largest_count = UInt64(largestCount ?? 0)
    row.data = UnsafeRawPointer(Unmanaged.passRetained(Maker(make)).toOpaque())
    row.connect(isFigure: unit != nil)
    return row
  }
}

extension paired_workload {
  /// Has the harness call the work's methods.
  fileprivate mutating func connect(isFigure: Bool) {
    setup = { row, context in setUp(row, context) }
    prepare = { context, count in work(context).prepare(Int(count)) }
    finish = { context, count in work(context).finish(Int(count)) }
    if isFigure {
      figure = { context in work(context).figure() }
    } else {
      run = { context, count in work(context).run(Int(count)) }
    }
    check = { context, count in work(context).check(Int(count)) }
    teardown = { context in
      guard let context else { return }
      Unmanaged<Holder>.fromOpaque(context).release()
    }
  }
}

private func setUp(
  _ row: UnsafePointer<paired_workload>?, _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> paired_outcome {
  guard let data = row?.pointee.data, let context else { return PAIRED_FAILED }
  do {
    let work = try Unmanaged<Maker>.fromOpaque(data).takeUnretainedValue().make()
    context.pointee = Unmanaged.passRetained(Holder(work)).toOpaque()
    return PAIRED_READY
  } catch let missing as Missing {
    paired_reason_text(missing.reason)
    return PAIRED_MISSING
  } catch {
    paired_reason_text("\(error)")
    return PAIRED_FAILED
  }
}

private func work(_ context: UnsafeMutableRawPointer?) -> any Work {
  guard let context else { fatalError("a row was run before it was set up") }
  return Unmanaged<Holder>.fromOpaque(context).takeUnretainedValue().work
}

private func lasting(_ text: String) -> UnsafePointer<CChar>? { UnsafePointer(strdup(text)) }

extension Workload.Group {
  fileprivate var constant: paired_group {
    switch self {
    case .table: PAIRED_TABLE
    case .ladder: PAIRED_LADDER
    case .growth: PAIRED_GROWTH
    case .plain: PAIRED_PLAIN
    }
  }
}
