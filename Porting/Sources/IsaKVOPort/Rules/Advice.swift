/// The words of a finding.
struct Advice {
  let rule: Rule
  let what: String
  let why: String
  let write: String

  init(_ rule: Rule, _ what: String, _ why: String, _ write: String) {
    self.rule = rule
    self.what = what
    self.why = why
    self.write = write
  }
}

/// The words for a call, by its name with labels or by its bare name.
let adviceOnCalls: [String: Advice] = {
  let noSelectors = "there are no selectors on Linux"
  let noRuntime = "Objective-C's runtime is not on Linux"
  var advice = [
    "NSPredicate(format:)": Advice(
      .predicate, "NSPredicate(format:)", "Foundation on Linux reads no formats",
      "NSPredicate(block:), or filter with a closure"),
    "NSExpression(format:)": Advice(
      .predicate, "NSExpression(format:)", "Foundation on Linux reads no formats", "a closure"),
    "mutableOrderedSetValue(forKey:)": Advice(
      .orderedSet, "mutableOrderedSetValue(forKey:)", "there is no proxy for ordered sets",
      "mutableArrayValue(forKey:) of an array"),
    "NSSelectorFromString(_:)": Advice(
      .selector, "NSSelectorFromString", noSelectors, "a closure"),
  ]
  for name in ["NSSortDescriptor(key:ascending:)", "NSSortDescriptor(key:ascending:selector:)"] {
    advice[name] = Advice(
      .sortDescriptor, "NSSortDescriptor(key:ascending:)",
      "Foundation on Linux sorts by Swift key paths alone",
      "NSSortDescriptor(keyPath: \\Person.name, ascending: true), or sorted(by:)")
  }
  for name in ["publisher(for:)", "publisher(for:options:)"] {
    advice[name] = Advice(
      .publisher, name, "it is in a product of its own, over OpenCombine",
      "import IsaKVOCombine, of the trait Combine; or values(of:), an asynchronous sequence")
  }
  for name in ["addObserver(_:toObjectsAt:", "removeObserver(_:fromObjectsAt:"] {
    advice[name] = Advice(
      .collectionCoding, name + "…)", "Foundation's arrays observe nothing on Linux",
      "observe each element, with the tokens in an ObservationBag")
  }
  for name in [
    "indexOfObjectIdentical(to:)", "indexOfObjectIdentical(to:in:)", "removeObject(identicalTo:)",
    "removeObject(identicalTo:in:)",
  ] {
    advice[name] = Advice(
      .collectionCoding, name, "Foundation's arrays keep a ported object in a box",
      "firstIndex(where: { $0 === object }) of a Swift array")
  }
  for name in ["NSLog(_:_:)", "String(format:_:)", "NSString(format:_:)"] {
    advice[name] = Advice(
      .format, "%@ in a format",
      "Swift's strings and ported objects are no arguments of formats on Linux",
      "an interpolation")
  }
  for name in ["perform(_:)", "perform(_:with:)", "perform(_:with:with:)", "Selector(_:)"] {
    advice[name] = Advice(
      .selector, String(name.prefix { $0 != "(" }), noSelectors, "a call, or a closure")
  }
  advice["UndoManager"] = Advice(
    .foundationClass, "UndoManager", "Foundation on Linux does not have it", undoAdvice)
  advice["autoreleasepool"] = Advice(
    .objectiveCRuntime, "autoreleasepool", "Linux has no pools", "the statements of its body")
  advice["perform(_:with:afterDelay:)"] = Advice(
    .selector, "perform(_:with:afterDelay:)", noSelectors, "Task.sleep, or a DispatchQueue's timer")
  for (name, method) in [("set", "setAssociated(_:forKey:)"), ("get", "associated(forKey:)")] {
    advice["objc_\(name)AssociatedObject"] = Advice(
      .objectiveCRuntime, "objc_\(name)AssociatedObject", noRuntime,
      "\(method) of a KVObject, or a stored property")
  }
  for name in ["objc_sync_enter", "objc_sync_exit"] {
    advice[name] = Advice(.objectiveCRuntime, name, noRuntime, "withLock of an NSLock")
  }
  for name in ["keyValueObservingExpectation(for:keyPath:)", "XCTKVOExpectation"] {
    advice[name] = Advice(
      .framework, String(name.prefix { $0 != "(" }), "XCTest on Linux observes nothing",
      "an expectation that a handler of observe(_:options:changeHandler:) fulfills")
  }
  for name in [
    "method_exchangeImplementations", "class_getInstanceMethod", "class_copyPropertyList",
    "class_copyMethodList", "object_getClass", "objc_getClass", "object_setClass",
  ] {
    advice[name] = Advice(
      .objectiveCRuntime, name, noRuntime, "the classes of IsaRuntime, or a method that is called")
  }
  return advice
}()

/// The replacement of an observation, by the class of Foundation's that is observed.
let adviceOnObservables: [String: String] = [
  "UserDefaults": "a KVObject that writes the defaults, or DefaultsController of IsaKVOBindings",
  "Operation": "completionBlock, or a KVObject that the operation sets",
  "BlockOperation": "completionBlock, or a KVObject that the operation sets",
  "OperationQueue": "addBarrierBlock, or a KVObject that its operations set",
  "Progress": "a KVObject with the fraction, set where the progress is",
  "URLSessionTask": "the session's delegate, or await of data(for:)",
  "URLSessionDataTask": "the session's delegate, or await of data(for:)",
  "Bundle": "a KVObject that has the value",
  "Thread": "a KVObject that has the value",
]

private let undoAdvice = "a history of the changes that observers are told, as in Examples/Invoice"

/// The words for a type, by its name.
let adviceOnTypes: [String: Advice] = [
  "NSHashTable": Advice(
    .foundationClass, "NSHashTable", "Foundation on Linux does not have it",
    "an array of weak references"),
  "NSMapTable": Advice(
    .foundationClass, "NSMapTable", "Foundation on Linux does not have it",
    "a dictionary of weak references, or setAssociated(_:forKey:)"),
  "NSException": Advice(
    .foundationClass, "NSException", "Linux has no exceptions of Objective-C",
    "an Error that is thrown"),
  "Selector": Advice(.selector, "Selector", "there are no selectors on Linux", "a closure"),
  "UndoManager": Advice(
    .foundationClass, "UndoManager", "Foundation on Linux does not have it", undoAdvice),
  "NSFetchedResultsController": Advice(
    .framework, "NSFetchedResultsController", "Core Data is not on Linux",
    "a KVObject with an array"),
]

/// The modules that Foundation's types are in on Linux, but for Foundation itself.
let modulesOfTypes: [String: String] = {
  var modules: [String: String] = [:]
  for name in [
    "CachedURLResponse", "HTTPCookie", "HTTPCookieStorage", "HTTPURLResponse",
    "NSMutableURLRequest", "NSURLRequest", "URLAuthenticationChallenge", "URLCache",
    "URLCredential", "URLCredentialStorage", "URLProtectionSpace", "URLProtocol",
    "URLProtocolClient", "URLRequest", "URLResponse", "URLSession", "URLSessionConfiguration",
    "URLSessionDataDelegate", "URLSessionDataTask", "URLSessionDelegate",
    "URLSessionDownloadDelegate", "URLSessionDownloadTask", "URLSessionTask",
    "URLSessionTaskDelegate", "URLSessionUploadTask", "URLSessionWebSocketDelegate",
    "URLSessionWebSocketTask",
  ] {
    modules[name] = "FoundationNetworking"
  }
  for name in [
    "XMLDTD", "XMLDTDNode", "XMLDocument", "XMLElement", "XMLNode", "XMLParser",
    "XMLParserDelegate",
  ] {
    modules[name] = "FoundationXML"
  }
  return modules
}()

/// The replacement of an import.
let adviceOnModules: [String: String] = [
  "AppKit": "import Foundation for the model, and the views elsewhere",
  "Cocoa": "import Foundation for the model, and the views elsewhere",
  "UIKit": "import Foundation for the model, and the views elsewhere",
  "SwiftUI": "import Foundation for the model, and the views elsewhere",
  "CoreData": "models as KVObjects, saved as Codable",
  "Combine": "import OpenCombine, with IsaKVOCombine; or values(of:), an asynchronous sequence",
  "CryptoKit": "import Crypto, of swift-crypto",
  "ObjectiveC": "import Foundation",
  "Darwin": "import Foundation, or Glibc",
  "os": "#if canImport(os) around it and what uses it",
]
