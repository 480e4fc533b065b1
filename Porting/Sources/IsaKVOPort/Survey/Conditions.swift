import SwiftSyntax

/// The parts of `#if` that Linux compiles.
enum Condition {
  case active, inactive, unknown

  /// The value of a condition on Linux; unknown if it asks for what a build decides.
  init(_ expression: ExprSyntax) {
    if let call = expression.as(FunctionCallExprSyntax.self) {
      self = Self.asked(call.calledExpression.trimmedDescription, call.arguments)
    } else if let prefix = expression.as(PrefixOperatorExprSyntax.self) {
      self = prefix.operator.text == "!" ? Condition(prefix.expression).negated : .unknown
    } else if let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1 {
      self = Condition(tuple.elements.first!.expression)
    } else if let sequence = expression.as(SequenceExprSyntax.self) {
      self = Self.joined(sequence.elements.map { $0 })
    } else if let infix = expression.as(InfixOperatorExprSyntax.self) {
      self = Self.joined([infix.leftOperand, infix.operator, infix.rightOperand])
    } else {
      self =
        expression.trimmedDescription == "true"
        ? .active : expression.trimmedDescription == "false" ? .inactive : .unknown
    }
  }

  private static func asked(_ question: String, _ arguments: LabeledExprListSyntax) -> Condition {
    let argument = arguments.first?.expression.trimmedDescription ?? ""
    switch question {
    case "os": return argument == "Linux" ? .active : .inactive
    case "canImport":
      if appleModules.contains(argument) { return .inactive }
      return linuxModules.contains(argument) ? .active : .unknown
    case "swift": return version(argument, atLeast: [5, 10])
    case "compiler": return version(argument, atLeast: [6, 1])
    case "_runtime": return argument == "_ObjC" ? .inactive : .active
    case "targetEnvironment": return .inactive
    default: return .unknown
    }
  }

  /// The value of `>=5.5` or `<5.5`, of which the library's manifest asks for `least`; a build may
  /// have more.
  private static func version(_ question: String, atLeast least: [Int]) -> Condition {
    let sign = question.prefix { $0 == ">" || $0 == "=" || $0 == "<" }
    let numbers = question.dropFirst(sign.count).split(separator: ".").map {
      Int($0.filter { $0 != " " })
    }
    let asked = numbers.compactMap { $0 }
    guard asked.count == numbers.count, !least.lexicographicallyPrecedes(asked) else {
      return .unknown
    }
    return sign == ">=" ? .active : sign == "<" ? .inactive : .unknown
  }

  /// `&&` binds closer than `||`.
  private static func joined(_ elements: [ExprSyntax]) -> Condition {
    var alternatives: [Condition] = [], all = Condition.active
    for (index, element) in elements.enumerated() {
      let text = element.trimmedDescription
      if index % 2 == 0 {
        all = all.and(Condition(element))
      } else if text == "||" {
        alternatives.append(all)
        all = .active
      } else if text != "&&" {
        return .unknown
      }
    }
    return (alternatives + [all]).reduce(.inactive) { $0.or($1) }
  }

  private var negated: Condition {
    switch self {
    case .active: .inactive
    case .inactive: .active
    case .unknown: .unknown
    }
  }

  private func and(_ other: Condition) -> Condition {
    if self == .inactive || other == .inactive { return .inactive }
    return self == .active && other == .active ? .active : .unknown
  }

  private func or(_ other: Condition) -> Condition { negated.and(other.negated).negated }
}

/// Modules that Linux has.
private let linuxModules: Set<String> = [
  "Dispatch", "Foundation", "FoundationNetworking", "FoundationXML", "Glibc",
]

/// Modules that Linux has not.
let appleModules: Set<String> = [
  "ARKit", "AVFoundation", "AVKit", "Accelerate", "Accounts", "AppIntents", "AppKit",
  "ApplicationServices", "AudioToolbox", "AuthenticationServices", "BackgroundTasks", "CallKit",
  "Carbon", "CarPlay", "CloudKit", "Cocoa", "Combine", "Contacts", "ContactsUI", "CoreAudio",
  "CoreBluetooth", "CoreData", "CoreGraphics", "CoreImage", "CoreLocation",
  "CoreMedia", "CoreML", "CoreMotion", "CoreServices", "CoreSpotlight", "CoreTelephony", "CoreText",
  "CoreVideo", "CryptoKit", "Darwin", "EventKit", "GameController", "GameKit", "GameplayKit",
  "HealthKit", "HomeKit", "ImageIO", "Intents", "IOKit", "LocalAuthentication", "MapKit",
  "MediaPlayer", "MessageUI", "Metal", "MetalKit", "MobileCoreServices", "MultipeerConnectivity",
  "NaturalLanguage", "Network", "NetworkExtension", "NotificationCenter", "ObjectiveC", "OSLog",
  "PDFKit", "PassKit", "PencilKit", "Photos", "PhotosUI", "QuartzCore", "Quartz", "QuickLook",
  "RealityKit", "SafariServices", "SceneKit", "Security", "Social", "Speech", "SpriteKit",
  "StoreKit", "SwiftData", "SwiftUI", "SystemConfiguration", "TVUIKit", "UIKit",
  "UniformTypeIdentifiers", "UserNotifications", "Vision", "WatchConnectivity", "WatchKit",
  "WebKit", "WidgetKit", "XPC", "os",
]

/// Walks over code that Linux may compile, and leaves out the rest.
class LinuxVisitor: SyntaxVisitor {
  /// How many conditions of unknown value the present place stands under.
  private(set) var openConditions = 0

  init() { super.init(viewMode: .sourceAccurate) }

  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
    for (clause, condition) in node.linuxClauses {
      guard let elements = clause.elements else { continue }
      openConditions += condition == .unknown ? 1 : 0
      walk(elements)
      openConditions -= condition == .unknown ? 1 : 0
    }
    return .skipChildren
  }
}

extension IfConfigDeclSyntax {
  /// The clauses that Linux compiles, or may compile.
  var linuxClauses: [(IfConfigClauseSyntax, Condition)] {
    var earlier = Condition.inactive, found: [(IfConfigClauseSyntax, Condition)] = []
    for clause in clauses {
      guard earlier != .active else { break }
      let own = clause.condition.map { Condition($0) } ?? .active
      if own != .inactive { found.append((clause, earlier == .inactive ? own : .unknown)) }
      earlier =
        own == .active ? .active : earlier == .unknown || own == .unknown ? .unknown : .inactive
    }
    return found
  }
}
