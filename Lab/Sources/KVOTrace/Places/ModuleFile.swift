import Foundation

/// The file of a program or library: the build id that stands in it.
struct ModuleFile {
  /// In hexadecimal digits; empty if the file has none, or is of another form than ELF.
  let buildID: String

  /// Nil: there is no such file, or it cannot be read.
  init?(path: String) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
      let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    else { return nil }
    buildID = ELFNotes(data)?.buildID ?? ""
  }
}

/// The notes of an ELF file.
struct ELFNotes {
  private let data: Data
  private let isWide: Bool
  private let isBigEndian: Bool

  init?(_ data: Data) {
    guard data.count >= 64, data.prefix(4).elementsEqual([0x7f, 0x45, 0x4c, 0x46]) else {
      return nil
    }
    self.data = data
    isWide = data[data.startIndex + 4] == 2
    isBigEndian = data[data.startIndex + 5] == 2
  }

  /// Nil: it stands beyond the file's end.
  private func number(_ offset: UInt64, _ size: UInt64) -> UInt64? {
    guard offset < UInt64(data.count), size <= UInt64(data.count) - offset else { return nil }
    let start = data.startIndex + Int(offset)
    let bytes = data[start..<start + Int(size)]
    return (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func word(_ offset: UInt64) -> UInt64? { number(offset, isWide ? 8 : 4) }

  var buildID: String? {
    guard let headers = word(isWide ? 32 : 28), let size = number(isWide ? 54 : 42, 2),
      let count = number(isWide ? 56 : 44, 2)
    else { return nil }
    for index in 0..<count {
      let (header, overflow) = headers.addingReportingOverflow(index * size)
      if !overflow, let found = buildID(ofSegment: header) { return found }
    }
    return nil
  }

  private func buildID(ofSegment header: UInt64) -> String? {
    let noteSegment: UInt64 = 4
    guard header < UInt64(data.count), number(header, 4) == noteSegment,
      let start = word(header + (isWide ? 8 : 4)), let size = word(header + (isWide ? 32 : 16)),
      start < UInt64(data.count)
    else { return nil }
    return buildID(from: start, to: start + min(size, UInt64(data.count) - start))
  }

  private func buildID(from start: UInt64, to end: UInt64) -> String? {
    let gnuBuildID: UInt64 = 3
    var note = start
    while note + 12 <= end, let nameSize = number(note, 4), let size = number(note + 4, 4) {
      let name = note + 12
      let content = name + (nameSize + 3) / 4 * 4
      if number(note + 8, 4) == gnuBuildID, nameSize == 4, number(name, 3) == number("GNU") {
        return hexadecimal(content, size)
      }
      note = content + (size + 3) / 4 * 4
    }
    return nil
  }

  private func number(_ text: String) -> UInt64 {
    let bytes = Array(text.utf8)
    return (isBigEndian ? bytes : bytes.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func hexadecimal(_ offset: UInt64, _ size: UInt64) -> String? {
    guard offset <= UInt64(data.count), size <= UInt64(data.count) - offset else { return nil }
    let start = data.startIndex + Int(offset)
    return data[start..<start + Int(size)].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      .joined()
  }
}
