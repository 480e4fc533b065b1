// Everything that the tool says, and does not do. Nothing of it compiles on Linux.

import AVFoundation
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

final class Early: NSObject {
  @objc dynamic var width = 1
  @objc dynamic var made = makeText() { didSet { print(made) } }
  @objc dynamic var high = 1, low = 0 { didSet { print(low) } }
  @objc dynamic  // kept
    var noted = 1
  {
    didSet { print(noted) }
  }

  override init() {
    width = 2
    print(width, self.width + 1)
    super.init()
    print(width)
  }

  @objc func getArea() -> Int { width }
  @objc func bind(_ name: String, to: Any, withKeyPath: String, options: [String: Any]?) {}
}

class Base: NSObject {
  @objc dynamic var size = 1 { didSet { print(size) } }
  @objc dynamic var name = ""
}

final class Above: Base {
  override var size: Int { didSet { print("above") } }
  override var name: String {
    willSet { if newValue.isEmpty { return } }
  }
}

func useMore(_ list: NSMutableArray, _ people: NSArray, _ model: Base) {
  people.addObserver(model, toObjectsAt: [0], forKeyPath: "name", options: [], context: nil)
  people.removeObserver(model, fromObjectsAt: [0], forKeyPath: "name")
  print(list.indexOfObjectIdentical(to: model), model.value(forKey: "area") ?? 0)
  let settings = UserDefaults.standard
  settings.setValue(settings.value(forKey: "a"), forKey: "b")
  print(NSObject(), model.isKind(of: NSObject.self), model.classForCoder)
  NSLog("%@ is %@", model, "here")
  NSLog("plain")
  print(NSSortDescriptor(keyPath: \Owner.nickname, ascending: true))
  let object: Foundation.NSObject? = nil
  if (object as? NSObject) == nil { print(NSException(name: .genericException, reason: nil)) }
}

final class Owner: NSObject {
  @objc dynamic var nickname: String?
}

final class Money: ValueTransformer {
  @objc dynamic var rate = 1.0
}

final class Document: NSObject, Codable {
  @objc dynamic var pages = 1 { didSet { print(pages) } }
}
