// Properties as sequences of lines, for those who follow the plant from elsewhere.
import Foundation
import IsaKVO

/// The values of one property, the current one first, each as a line of JSON. It does not keep the
/// object, and ends with it.
public typealias Lines = any AsyncSequence<String, Never> & Sendable

/// Which values wait for a slow reader.
public enum Buffering: Sendable {
  /// The newest one of each property, when it is ready for it.
  case newest
  /// Every one, in order, however many wait.
  case every
}

extension Plant {
  /// All that is told of the plant itself, but for its machines.
  public func lines(_ buffering: Buffering) -> [Lines] {
    [
      lines("name", \.name, buffering), lines("isRunning", \.isRunning, buffering),
      lines("browsers", \.browsers, buffering), lines("output", \.output, buffering),
      lines("alarms", \.alarms, buffering),
    ]
  }

  /// The machines, whenever one comes or goes.
  public func machineLists(_ buffering: Buffering) -> ObservationSequence<[Machine]> {
    values(of: \.machines, bufferingPolicy: buffering.policy())
  }

  private func lines<Value: Encodable & Sendable>(
    _ key: String, _ keyPath: KeyPath<Plant, Value>, _ buffering: Buffering
  ) -> Lines {
    values(of: keyPath, bufferingPolicy: buffering.policy()).map { Line(key, $0).text }
  }
}

extension Machine {
  /// All that is told of the machine.
  public func lines(_ buffering: Buffering) -> [Lines] {
    [
      lines("name", \.name, buffering), lines("isOn", \.isOn, buffering),
      lines("state", \.state, buffering), lines("speed", \.speed, buffering),
      lines("temperature", \.temperature, buffering), lines("bottles", \.bottles, buffering),
      lines("settings.target", \.settings.target, buffering),
      lines("settings.limit", \.settings.limit, buffering),
    ]
  }

  private func lines<Value: Encodable & Sendable>(
    _ key: String, _ keyPath: KeyPath<Machine, Value>, _ buffering: Buffering
  ) -> Lines {
    values(of: keyPath, bufferingPolicy: buffering.policy()).map { [id] in
      Line(key, $0, machine: id).text
    }
  }

  /// The line of a list of machines.
  public nonisolated static func line(_ machines: [Machine]) -> String {
    Line("machines", machines.map(\.id)).text
  }
}

extension Buffering {
  fileprivate func policy<Value>() -> ObservationSequence<Value>.BufferingPolicy {
    self == .every ? .unbounded : .bufferingNewest(1)
  }
}

private struct Line<Value: Encodable>: Encodable {
  let machine: Int?
  let key: String
  let value: Value

  init(_ key: String, _ value: Value, machine: Int? = nil) {
    self.machine = machine
    self.key = key
    self.value = value
  }

  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(self) else {
      fatalError("\(key) has the value \(value), of which there is no JSON")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
