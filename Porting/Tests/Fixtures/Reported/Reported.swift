// Everything that the tool says, and does not do. Nothing of it compiles on Linux.

import AppKit
import Combine
import Foundation

@MainActor
final class Screen: NSObject {
  @objc dynamic var title = ""
}

final class Loader: URLProtocol {
  @objc dynamic var received = 0
}

final class Work: Operation {
  @objc dynamic var step = 0
}

final class Foreign: ModelOfAnotherModule {
  @objc dynamic var name = ""
}

@objc protocol Watcher {
  @objc optional func watch()
}

struct Container {
  class Model: NSObject, Codable {
    @objc dynamic var level = 1 {
      didSet { level = min(level, 10) }
    }
    @objc dynamic var bounded = 1 {
      didSet { if bounded > 10 { bounded = 10 } }
    }
    @objc dynamic unowned var owner: Model
    @objc dynamic weak var watcher: Watcher?
    @Published @objc dynamic var published = 1
    @NSCopying @objc dynamic var text: NSString = ""
    @objc dynamic lazy var computed = compute(self)
    @objc dynamic weak var parent: Model?
    @objc dynamic static var count = 1

    #if DEBUG
      @objc dynamic var doubled: Int { 2 * level }
    #endif

    @objc class func keyPathsForValuesAffectingNothing() -> Set<String> { ["level"] }

    @objc func validateLevel(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}

    @objc func insertObject(_ object: Model, inItemsAtIndex index: Int) {}

    override func validateValue(
      _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
    ) throws {}

    override func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      if (object as? NSObject) === self { print(keyPath!) }
    }

    override func mutableCopy() -> Any { self }

    static func == (first: Model, second: Model) -> Bool { first.level == second.level }
  }
}

final class Archived: NSObject, NSCoding {
  @objc dynamic var name = ""
}

func use(_ object: NSObject, _ defaults: UserDefaults, _ model: Container.Model) {
  defaults.addObserver(model, forKeyPath: "theme", options: [], context: nil)
  let queue = OperationQueue()
  tokens.append(queue.observe(\.operationCount) { _, _ in })
  print(([1, 2] as NSArray).value(forKeyPath: "@sum.self") ?? 0)
  let numbers: NSMutableArray = [1, 2]
  print(numbers.value(forKey: "description"), UndoManager())
  print(NSPredicate(format: "level > %d", 3), NSSortDescriptor(key: "level", ascending: true))
  model.perform(#selector(NSObject.copy))
  model.perform(Selector("copy"), with: nil)
  NotificationCenter.default.addObserver(
    model, selector: #selector(Container.Model.reload), name: nil, object: nil)
  if model.responds(to: action) { print((model as AnyObject).level ?? 0) }
  cancellable = model.publisher(for: \.level).sink { print($0) }
  print(keyPath._kvcKeyPathString ?? "")
  shared = NSKeyValueSharedObservers(Container.Model.self)
  model.mutableOrderedSetValue(forKey: "items").add(1)
  model.bind(.value, to: object, withKeyPath: "level", options: nil)
  objc_setAssociatedObject(model, &key, 1, .OBJC_ASSOCIATION_RETAIN)
}

extension NSObject {
  func describe() {}
}
