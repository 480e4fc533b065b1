import SwiftSyntax

/// Decides what becomes of a class at the top of its family, and so of all below it.
struct Judge {
  private let survey: Survey
  private let root: TypeModel

  init(_ survey: Survey, _ root: TypeModel) {
    self.survey = survey
    self.root = root
  }

  var verdict: Verdict {
    let above = root.declaration?.inheritanceClause.names.first
    if above == "KVObject" || above == "NSKVObject" { return .already }
    if let above, controllers.contains(above), survey.types[above] == nil {
      return root.family.contains { $0.need != nil } ? .ported(above) : .already
    }
    guard let needy = root.family.first(where: { $0.need != nil }) else { return .untouched }
    guard above == "NSObject" else { return unportable(above, needy) }
    let overrides = root.family.flatMap(\.methods).contains {
      !$0.isStatic && foundationOverrides.contains($0.fullName)
    }
    return .ported(overrides ? "NSKVObject" : "KVObject")
  }

  /// The verdict on a class of which no class above is an NSObject that the sources show.
  private func unportable(_ above: String?, _ needy: TypeModel) -> Verdict {
    guard let above, survey.protocols[above] == nil, !isProtocolOfFoundation(above) else {
      return .untouched
    }
    if let advice = foundationClasses[above] {
      return .blocked(
        what: "\(needy.name) inherits from \(above), and \(needy.need!)",
        why: "\(above) is a class of Apple's, which nobody can observe on Linux", write: advice)
    }
    return .blocked(
      what: "\(needy.name) inherits from \(above), and \(needy.need!)",
      why: "the given sources do not show \(above)",
      write: "port its sources first or give them too")
  }

  private func isProtocolOfFoundation(_ name: String) -> Bool {
    [
      "Codable", "Encodable", "Decodable", "Hashable", "Equatable", "Comparable", "Identifiable",
      "Sendable", "ObservableObject", "CustomStringConvertible", "AnyObject",
    ].contains(name)
  }
}

/// Classes of AppKit's that IsaKVOFoundation has by the same names, as KVObjects.
private let controllers: Set<String> = [
  "NSArrayController", "NSController", "NSDictionaryController", "NSObjectController",
  "NSTreeController", "NSUserDefaultsController",
]

/// Classes of Apple's that sources inherit from, with what to write in their place.
let foundationClasses: [String: String] = {
  let operation = "keep the keys in a KVObject that the operation has, or write the work as a Task"
  let view = "keep the keys in a KVObject that the view has; the view itself has no place on Linux"
  let data = "write the model as a KVObject; Core Data is not on Linux"
  let own = "keep the keys in a KVObject that it has"
  var advice = ["Operation": operation, "BlockOperation": operation, "OperationQueue": operation]
  for name in ["NSManagedObject", "NSPersistentContainer"] { advice[name] = data }
  for name in [
    "NSView", "NSViewController", "NSWindow", "NSWindowController", "NSControl", "NSCell",
    "NSDocument", "NSResponder", "UIView",
    "UIViewController", "UIControl", "UITableViewController", "UITableViewCell", "UIResponder",
    "CALayer",
  ] {
    advice[name] = view
  }
  for name in [
    "Bundle", "Formatter", "InputStream", "OutputStream", "Port", "Progress", "Stream", "Thread",
    "URLProtocol", "UserDefaults", "ValueTransformer", "XMLParser",
  ] {
    advice[name] = own
  }
  return advice
}()
