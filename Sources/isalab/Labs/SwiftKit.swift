import Foundation

/// What a student begins with in Swift.
enum SwiftKit {
  static func files(_ level: Int) -> [OutputFolder.File] {
    [
      OutputFolder.File(path: "Package.swift", text: package),
      OutputFolder.File(path: "Sources/StudentKVO/Interface.swift", text: interface + "\n"),
      OutputFolder.File(path: "Sources/StudentKVO/Student.swift", text: skeleton + "\n"),
    ]
  }

  static func tools(_ level: Int) -> [String] {
    let all = [
      [
        "`ClassBuilder(name, superclass:)`: a class made at run time",
        "`RuntimeClass.method(_:)`: a method's encoding and the class that declares it",
        "`RuntimeClass.addMethod`, `MethodCall.callSuper`: your setter, and the original one",
        "`RuntimeObject.setIsa`: the isa swap; `class` is what the object claims",
      ],
      ["`WeakReference`: nil once its object dies", "`RuntimeClass.find(named:)`"],
      ["`RuntimeObject.value(forKey:)`"],
    ]
    return all[min(level, all.count) - 1]
  }

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
      dependencies: [.package(name: "IsaKVO", path: "\(checkout.path)")],
      targets: [
        .target(
          name: "StudentKVO", dependencies: [.product(name: "IsaKVO", package: "IsaKVO")]),\(targets)
      ],
      swiftLanguageModes: [.v5]
    )

    """
  }

  /// `Interface.swift`.
  static let interface = #"""
    // Your own key-value observing: what you write, and what it is handed. Leave this file as it is.

    import IsaKVO

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

    /// What an observer is told.
    public struct StudentChange {
      public var object: RuntimeObject
      public var key: String
      /// Level 3: what was handed to `add`.
      public var context = 0
      /// Level 3: told before the change.
      public var isPrior = false
      /// Level 3: the values, where they were asked for; nil as a value is `RuntimeValue.nilObject`.
      public var old: RuntimeValue?
      public var new: RuntimeValue?

      public init(object: RuntimeObject, key: String) {
        self.object = object
        self.key = key
      }
    }

    /// How an observer is told: on the thread of the change, before the setter returns.
    public typealias StudentTell = @Sendable (_ observer: RuntimeObject, StudentChange) -> Void

    /// What there is to write, as the class `Student`.
    public protocol StudentObserving {
      init()

      /// Calls `tell` after each change of `key` that a setter makes. Level 2: as often as it was added,
      /// for as long as the observer lives; neither of the objects is held.
      func add(
        _ observer: RuntimeObject, to object: RuntimeObject, key: String, options: StudentOptions,
        context: Int, tell: @escaping StudentTell) throws

      /// Ends the latest registration of that observer and key; level 3: with exactly that context,
      /// unless it is nil. Throws if there is none.
      func remove(
        _ observer: RuntimeObject, from object: RuntimeObject, key: String, context: Int?) throws
    }

    /// What `remove` throws where nothing matches.
    public struct NotRegistered: Error {
      public init() {}
    }
    """#

  /// `Student.swift`.
  private static let skeleton = #"""
    import IsaKVO

    /// Your own key-value observing.
    public final class Student: StudentObserving {
      public init() {}

      public func add(
        _ observer: RuntimeObject, to object: RuntimeObject, key: String, options: StudentOptions,
        context: Int, tell: @escaping StudentTell
      ) throws {
        throw NotRegistered()  // make a notifying class, swap the isa, remember whom to tell
      }

      public func remove(
        _ observer: RuntimeObject, from object: RuntimeObject, key: String, context: Int?
      ) throws {
        throw NotRegistered()  // forget whom to tell; with the last one the isa goes back
      }
    }
    """#
}
