import Foundation
import Testing

@testable import isalab

@Suite("The colours of pages", .serialized, .oneAtATime)
struct PaletteTests {
  private typealias Ink = GraphStyle.Ink
  private typealias Colour = [Double]

  private static let texts: [Ink] = [.ink, .quiet, .swapped, .observes, .refers]
  private static let grounds: [Ink] = [.paper, .fill, .made]
  private static var palettes: [(name: String, of: (Ink) -> String)] {
    [("light", \.light), ("dark", \.dark)]
  }

  private func colour(_ hex: String) throws -> Colour {
    let number = try #require(Int(hex.dropFirst(), radix: 16))
    return [16, 8, 0].map { Double(number >> $0 & 255) }
  }

  private func light(_ colour: Colour) -> Double {
    let parts = colour.map { $0 / 255 }.map {
      $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4)
    }
    return zip(parts, [0.2126, 0.7152, 0.0722]).map(*).reduce(0, +)
  }

  private func contrast(_ one: Colour, _ other: Colour) -> Double {
    let lights = [light(one), light(other)].sorted()
    return (lights[1] + 0.05) / (lights[0] + 0.05)
  }

  /// The rules of all sheets: selectors and what they declare.
  private static let rules: [(file: String, selector: String, body: String)] =
    PackageResources.all.filter { $0.key.hasSuffix(".css") }.flatMap { file, text in
      text.matches(of: #/([^{}]+)\{([^{}]*)\}/#).map {
        (file, $0.1.trimmingCharacters(in: .whitespacesAndNewlines), String($0.2))
      }
    }

  @Test("every ink can be read on every ground, by light and in the dark: 4.5 to 1")
  func inks() throws {
    for palette in Self.palettes {
      for ground in Self.grounds {
        for ink in Self.texts {
          let found = contrast(try colour(palette.of(ink)), try colour(palette.of(ground)))
          #expect(found >= 4.5, "\(palette.name): \(ink) on \(ground)")
        }
      }
      // A button that leads on has its ground's colour on ink.
      let turned = contrast(try colour(palette.of(.paper)), try colour(palette.of(.observes)))
      #expect(turned >= 4.5, "\(palette.name): paper on observes")
    }
  }

  @Test("every ink can be read on a tint, such as a mistake's")
  func tints() throws {
    let tint = #/background:color-mix\(in srgb,var\(--(\w+)\) (\d+)%,transparent\)/#
    let found = Self.rules.flatMap { $0.body.matches(of: tint) }
      .filter { $0.1 != "paper" }
    #expect(!found.isEmpty)
    for palette in Self.palettes {
      for match in found {
        let over = try colour(palette.of(try #require(Ink(rawValue: String(match.1)))))
        let part = try #require(Double(match.2)) / 100
        let ground = zip(over, try colour(palette.of(.paper))).map { $0 * part + $1 * (1 - part) }
        for ink in [Ink.ink, .quiet, .observes, .refers] {
          let found = contrast(try colour(palette.of(ink)), ground)
          #expect(found >= 4.5, "\(palette.name): \(ink) on \(match.0)")
        }
      }
    }
  }

  @Test("no sheet makes a text faint, or gives it a colour that is no ink")
  func sheets() {
    #expect(Self.rules.count > 100)
    // A part that is on its way, and a line.
    let lines = [".graph .arriving", ".graph .lane .rail"]
    for rule in Self.rules where !lines.contains(rule.selector) {
      let fades = rule.body.matches(of: #/(?:^|;)\s*opacity:\s*0?(\.\d+|0)\b/#)
      #expect(fades.isEmpty, "\(rule.file): \(rule.selector)")
    }
    let inks = Self.texts + [.paper]
    let allowed =
      inks.map { "var(--\($0))" } + inks.map { "$\($0)" }
      + ["inherit", "transparent", "transparent!important", "CanvasText", "var(--ink)!important"]
    for rule in Self.rules {
      for match in rule.body.matches(of: #/(?:^|;)\s*color:\s*([^;]+)/#) {
        #expect(allowed.contains(String(match.1)), "\(rule.file): \(rule.selector)")
      }
    }
  }
}
