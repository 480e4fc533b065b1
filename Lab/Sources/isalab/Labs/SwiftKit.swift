import Foundation

/// What a student begins with in Swift.
enum SwiftKit {
  static func files(_ level: Int) -> [OutputFolder.File] {
    [
      OutputFolder.File(path: "Package.swift", text: package),
      OutputFolder.File(path: "Sources/StudentKVO/Interface.swift", text: interface(level)),
      OutputFolder.File(path: "Sources/StudentKVO/Student.swift", text: skeleton(level)),
    ]
  }

  static func tools(_ level: Int) -> [String] { allTools[level - 1] }

  private static let allTools = [
    [
      "`RuntimeClassBuilder(name, superclass:)`: a class made at run time",
      "`RuntimeClass.method(_:)`: a method's encoding and the class that declares it",
      "`RuntimeClass.addMethod`, `RuntimeMethodCall.callSuper`: your setter, and the original one",
      "`RuntimeObject.setIsa`: the isa swap; `class` is what the object claims",
    ],
    [
      "`RuntimeWeakReference`: nil once its object dies",
      "`RuntimeClass.find(named:)`: whether the notifying class is there already",
      "`RuntimeObject.setAssociated`, `RuntimeAssociationKey`: something of yours that goes with "
        + "the object",
    ],
    ["`RuntimeObject.value(forKey:)`: the value of a key, taken out of its box"],
    [
      "`RuntimeObject.address`: who it is, also while it dies",
      "a subclass of `KVObject`, associated as `RuntimeObject(table)` and had back by "
        + "`associated(forKey:)?.unsafeSwiftObject`: its `deinit` runs when its owner dies",
    ],
    ["`RuntimeObject.value(forKeyPath:)`: the value at the end of a path"],
    [
      "`RuntimeClass.superclass`: a subclass adds to what its superclass declares",
      "`RuntimeClass` as the key of a dictionary; `class` of an object, where the isa is yours",
    ],
    [
      "`RuntimeValue.array`: an array's elements",
      "`RuntimeMethodCall.arguments`: the element and the index as they came",
      "the encodings: v@:@Q to insert, v@:Q to remove, v@:Q@ to replace",
    ],
    [
      "`NSLock` of Foundation; `@unchecked Sendable` says that yours guards the class",
      "`Thread.current`: whose change it is",
    ],
  ]

  /// For an editor; grading uses a package of its own.
  private static var package: String {
    manifest(name: "StudentKVO", checkout: CoreLibrary.ownCheckout)
  }

  static func manifest(name: String, checkout: URL, targets: String = "") -> String {
    """
    // swift-tools-version: 6.1
    import PackageDescription

    let package = Package(
      name: "\(name)",
      platforms: [.macOS(.v13)],
      dependencies: [.package(name: "IsaKVO", path: \(checkout.path.debugDescription))],
      targets: [
        .target(
          name: "StudentKVO",
          dependencies: [
            .product(name: "IsaKVO", package: "IsaKVO"),
            .product(name: "IsaRuntime", package: "IsaKVO"),
          ]),\(targets)
      ],
      swiftLanguageModes: [.v5]
    )

    """
  }

  /// `Interface.swift` as far as `level` has it.
  static func interface(_ level: Int) -> String {
    let requirements = [(1, observing), (6, dependencies), (7, announcements)]
      .filter { $0.0 <= level }.map { $0.1 }
    return types + "\n\n" + requirements.joined(separator: "\n\n") + "\n}\n"
  }

  /// `Student.swift`: a class that refuses everything.
  private static func skeleton(_ level: Int) -> String {
    let bodies = [(1, observingBody), (6, dependenciesBody), (7, announcementsBody)]
      .filter { $0.0 <= level }.map { $0.1 }
    return bodies.joined(separator: "\n\n") + "\n}\n"
  }

  /// What all levels have.
  private static let types = #"""
    // Your own key-value observing: what you write, and what it is handed. Leave this file as it is.

    import IsaRuntime

    /// What an observer wants to be told; from level 3 on, empty until then.
    public struct StudentOptions: OptionSet, Sendable {
      public let rawValue: Int
      public init(rawValue: Int) { self.rawValue = rawValue }

      /// The change carries the value after it.
      public static let new = StudentOptions(rawValue: 1)
      /// The change carries the value before it.
      public static let old = StudentOptions(rawValue: 2)
      /// One notification before `add` returns.
      public static let initial = StudentOptions(rawValue: 4)
      /// One more notification, before each change.
      public static let prior = StudentOptions(rawValue: 8)
    }

    /// What kind of change it is: from level 7 on also one of a single element of an array.
    public enum StudentKind: Hashable, Sendable {
      case setting
      case insertion(at: Int)
      case removal(at: Int)
      case replacement(at: Int)
    }

    /// What an observer is told.
    public struct StudentChange: Sendable {
      /// What was handed to `add`.
      public var object: RuntimeObject
      /// What was handed to `add`: a key, from level 5 on a key path.
      public var keyPath: String
      /// Level 3: what was handed to `add`.
      public var context = 0
      /// Level 3: told before the change.
      public var isPrior = false
      /// Level 3: the values, where they were asked for; nil as a value is `RuntimeValue.nilObject`.
      public var old: RuntimeValue?
      public var new: RuntimeValue?
      /// Level 7: where it is not a setting, the values are the one element.
      public var kind = StudentKind.setting

      public init(object: RuntimeObject, keyPath: String) {
        self.object = object
        self.keyPath = keyPath
      }
    }

    /// How an observer is told: on the thread of the change, before the setter returns.
    public typealias StudentTell = @Sendable (_ observer: RuntimeObject, StudentChange) -> Void

    /// What `remove` throws where nothing matches.
    public struct NotRegistered: Error {
      public init() {}
    }
    """#

  /// Level 1.
  private static let observing = #"""
    /// What there is to write, as the class `Student`.
    public protocol StudentObserving {
      init()

      /// Calls `tell` after each change of `keyPath` that a setter makes. Level 2: as often as it was
      /// added, for as long as the observer lives; neither of the objects is held.
      func add(
        _ observer: RuntimeObject, to object: RuntimeObject, keyPath: String,
        options: StudentOptions, context: Int, tell: @escaping StudentTell) throws

      /// Ends the latest registration of that observer and key path; level 3: with exactly that
      /// context, unless it is nil. Throws `NotRegistered` if there is none.
      func remove(
        _ observer: RuntimeObject, from object: RuntimeObject, keyPath: String, context: Int?) throws
    """#

  /// Level 6.
  private static let dependencies = #"""
      /// Level 6: the key paths affect `key` of instances of the class and its subclasses, besides
      /// what the superclass declares; a second call for the same class and key replaces the first.
      func setKeyPaths(
        _ keyPaths: Set<String>, affecting key: String, of runtimeClass: RuntimeClass)
    """#

  /// Level 7.
  private static let announcements = #"""
      /// Level 7: announce a change that no setter makes; they come in pairs, which may be nested.
      func willChange(_ key: String, of object: RuntimeObject, _ kind: StudentKind)
      func didChange(_ key: String, of object: RuntimeObject, _ kind: StudentKind)
    """#

  /// Level 1.
  private static let observingBody = #"""
    import IsaKVO
    import IsaRuntime

    /// Your own key-value observing. Split it into as many files as you like.
    public final class Student: StudentObserving {
      public init() {}

      public func add(
        _ observer: RuntimeObject, to object: RuntimeObject, keyPath: String,
        options: StudentOptions, context: Int, tell: @escaping StudentTell
      ) throws {
        throw NotRegistered()  // make a notifying class, swap the isa, remember whom to tell
      }

      public func remove(
        _ observer: RuntimeObject, from object: RuntimeObject, keyPath: String, context: Int?
      ) throws {
        throw NotRegistered()  // forget whom to tell; with the last one the isa goes back
      }
    """#

  /// Level 6.
  private static let dependenciesBody = #"""
      public func setKeyPaths(
        _ keyPaths: Set<String>, affecting key: String, of runtimeClass: RuntimeClass
      ) {}
    """#

  /// Level 7.
  private static let announcementsBody = #"""
      public func willChange(_ key: String, of object: RuntimeObject, _ kind: StudentKind) {}

      public func didChange(_ key: String, of object: RuntimeObject, _ kind: StudentKind) {}
    """#
}
