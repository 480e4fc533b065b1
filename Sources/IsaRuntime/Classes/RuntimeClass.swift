package import CIsa

/// A class of the runtime: an object's isa points at it.
///
/// A value of this type names a class and does not keep it. Classes live until ``dispose()``, most
/// of them for ever; after that no value that names the class may be used.
///
///     for method in RuntimeClass.find(named: "Person")?.methods ?? [] { print(method.selector) }
public struct RuntimeClass: @unchecked Sendable {
  // The runtime synchronises all that it is asked about a class, hence Sendable.
  package let cls: isa_class

  package init(_ cls: isa_class) { self.cls = cls }

  package init?(_ cls: isa_class?) {
    guard let cls else { return nil }
    self.cls = cls
  }

  /// The class at an address that ``address`` or an event told; there has to be one.
  public init(unsafeAddress address: UInt) { cls = isa_class(bitPattern: address)! }

  /// The root class, which answers to the informal protocols of KVC and KVO.
  public static var root: RuntimeClass {
    // Every class is built on this one or on one had from it, so that no key path is followed
    // before.
    SwiftBox.makeClasses()
    return RuntimeClass(isa_root_class()!)
  }

  /// The registered classes in the order of their registration, metaclasses left out.
  public static var all: [RuntimeClass] {
    copiedList({ isa_class_copy_list($0, $1) }) { RuntimeClass($0!) }
  }

  /// The registered class of that name.
  ///
  /// - Complexity: O(1).
  public static func find(named name: String) -> RuntimeClass? {
    RuntimeClass(isa_class_find(name))
  }
}

// MARK: - Identity

extension RuntimeClass {
  /// The class's name.
  public var name: String { String(cString: isa_class_name(cls)) }

  /// The class that this one inherits from; nil for a root class.
  public var superclass: RuntimeClass? { RuntimeClass(isa_class_superclass(cls)) }

  /// The class of the class, where class methods live.
  public var metaclass: RuntimeClass { RuntimeClass(isa_class_metaclass(cls)) ?? self }

  /// Whether this is the class of a class.
  public var isMetaclass: Bool { isa_class_is_metaclass(cls) }

  /// The size of an instance in bytes, the header's 16 included.
  public var instanceSize: Int { isa_class_instance_size(cls) }

  /// The class as the object that it is, for class methods and as a value.
  public var object: RuntimeObject { RuntimeObject(retaining: isa_class_as_object(cls)) }

  /// Where the class stands in memory, for display.
  public var address: UInt { UInt(bitPattern: cls) }

  /// Whether the class is `other` or inherits from it.
  public func isSubclass(of other: RuntimeClass) -> Bool { isa_class_is_subclass(cls, other.cls) }

  /// The ivars that the class itself declares, in declaration order.
  public var ivars: [RuntimeIvar] {
    copiedList({ isa_class_copy_ivars(cls, $0, $1) }) { RuntimeIvar($0!) }
  }

  /// The methods that the class itself declares, in the order in which they were added.
  public var methods: [RuntimeMethod] {
    copiedList({ isa_class_copy_methods(cls, $0, $1) }) { RuntimeMethod($0!) }
  }

  /// The properties that the class itself declares, in declaration order.
  public var properties: [RuntimeProperty] {
    copiedList({ isa_class_copy_properties(cls, $0, $1) }) { RuntimeProperty($0!) }
  }

  /// The ivar of that name, inherited or not.
  public func ivar(named name: String) -> RuntimeIvar? {
    isa_class_find_ivar(cls, name).map { RuntimeIvar($0) }
  }

  /// The property of that name, inherited or not.
  public func property(named name: String) -> RuntimeProperty? {
    isa_class_find_property(cls, name).map { RuntimeProperty($0) }
  }

  /// The method that instances answer `selector` with, inherited or not.
  public func method(_ selector: RuntimeSelector) -> RuntimeMethod? {
    isa_class_find_method(cls, selector.sel).map { RuntimeMethod($0) }
  }

  /// The code that instances answer `selector` with, inherited or not.
  ///
  /// - Complexity: O(1) at any depth of inheritance.
  public func implementation(of selector: RuntimeSelector) -> RuntimeImplementation? {
    RuntimeImplementation(isa_class_find_imp(cls, selector.sel))
  }

  /// Whether instances answer `selector`.
  public func responds(to selector: RuntimeSelector) -> Bool {
    isa_class_find_imp(cls, selector.sel) != nil
  }
}

// MARK: - Notifying classes

extension RuntimeClass {
  /// Whether this is a notifying class: a class that the runtime made for observed objects.
  public var isNotifying: Bool { kvo_class_is_notifying(cls) }

  /// The class that a notifying class notifies for; any other class itself.
  public var original: RuntimeClass { RuntimeClass(kvo_class_original(cls)) ?? self }

  /// The setters that a notifying class wraps, in the order in which it came to wrap them; empty
  /// for any other class.
  public var wrappedSetters: [RuntimeSetterInfo] {
    copiedList({ kvo_class_copy_setters(cls, $0, $1) }) { RuntimeSetterInfo($0) }
  }
}

// MARK: - Instances and the end

extension RuntimeClass {
  /// Makes an instance whose ivars are all zero.
  ///
  /// - Throws: `KeyValueError.Code.classNotRegistered`;
  ///   `KeyValueError.Code.invalidArgument` for a metaclass;
  ///   `KeyValueError.Code.outOfMemory`.
  public func allocate() throws(KeyValueError) -> RuntimeObject {
    var id: isa_id?
    try KeyValueError.check(isa_object_allocate(cls, &id), className: name)
    return RuntimeObject(adopting: id!)
  }

  /// Disposes of the class, of its metaclass and of its notifying class.
  ///
  /// No other thread may use the class any more, and nobody afterwards.
  ///
  /// - Throws: `KeyValueError.Code.inUse` while there are instances or subclasses;
  ///   `KeyValueError.Code.invalidArgument` for the root class.
  public func dispose() throws(KeyValueError) {
    let name = name
    let metaclass = metaclass
    try KeyValueError.check(isa_class_pair_dispose(cls), className: name)
    disposeReplacements(of: cls)
    disposeReplacements(of: metaclass.cls)
  }
}

extension RuntimeClass: Hashable {}

extension RuntimeClass: CustomStringConvertible {
  /// The class's name.
  public var description: String { name }
}
