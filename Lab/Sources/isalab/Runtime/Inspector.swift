import CIsa

/// Reads what the runtime knows of classes, methods and registrations, and changes nothing.
struct Inspector {
  let names: Names

  /// The answer to `class`.
  func claimedClass(of object: isa_id) -> String {
    typealias Implementation = @convention(c) (isa_id, isa_sel) -> isa_class
    // Looked up and called directly, so that looking leaves no trace in the event log.
    let selector = isa_sel_register("class")!
    let implementation = unsafeBitCast(isa_lookup(object, selector), to: Implementation.self)
    return names.className(implementation(object, selector))
  }

  func trueClass(of object: isa_id) -> String { names.className(isa_object_get_class(object)) }

  /// The methods that a class itself declares, in the order in which they were added.
  func methods(of cls: isa_class) -> [ImplementationView] {
    Inspector.ownMethods(of: cls).map { view(of: $0) }
  }

  private static func ownMethods(of cls: isa_class) -> [isa_method] {
    var list: UnsafeMutablePointer<isa_method?>?
    var count = 0
    guard isa_class_copy_methods(cls, &list, &count) == ISA_OK else { return [] }
    defer { isa_free(list) }
    return UnsafeBufferPointer(start: list, count: count).map { $0! }
  }

  /// The pages of a class's dispatch table that are not its superclass's, as far as methods stand
  /// on them.
  func ownPages(of cls: isa_class) -> [Int] {
    var pages: Set<Int> = []
    var next: isa_class? = cls
    while let ancestor = next {
      pages.formUnion(
        Inspector.ownMethods(of: ancestor).map { Lookup.Place(isa_method_selector($0)!).page })
      next = isa_class_superclass(ancestor)
    }
    let own = Inspector.pages(of: cls)
    guard let inherited = isa_class_superclass(cls).map(Inspector.pages) else {
      return pages.sorted()
    }
    func page(_ index: Int, of table: UnsafeRawPointer) -> UInt {
      table.load(fromByteOffset: index * MemoryLayout<UInt>.stride, as: UInt.self)
    }
    return pages.filter { page($0, of: own) != page($0, of: inherited) }.sorted()
  }

  private static func pages(of cls: isa_class) -> UnsafeRawPointer {
    UnsafeRawPointer(UnsafeRawPointer(cls).load(as: isa_dispatch_class.self).pages)
  }

  /// The method with which instances of a class answer; nil if they do not.
  func implementation(_ selector: String, in cls: isa_class) -> ImplementationView? {
    guard let selector = isa_sel_find(selector) else { return nil }
    return isa_class_find_method(cls, selector).map { view(of: $0) }
  }

  private func view(of method: isa_method) -> ImplementationView {
    let cls = isa_method_class(method)!
    let selector = isa_method_selector(method)!
    let address = unsafeBitCast(isa_method_imp(method), to: UInt.self)
    var view = ImplementationView(
      selector: String(cString: isa_sel_name(selector)), kind: .method,
      owner: names.className(cls), original: nil, types: String(cString: isa_method_types(method)),
      address: address)
    if let setter = setters(of: cls).first(where: { $0.selector == selector }) {
      view.kind = setter.is_closure ? .closure : .thunk
      view.original = originalName(of: setter, in: cls)
    }
    return view
  }

  private func setters(of cls: isa_class) -> [kvo_setter_info] {
    var list: UnsafeMutablePointer<kvo_setter_info>?
    var count = 0
    guard kvo_class_copy_setters(cls, &list, &count) == ISA_OK else { return [] }
    defer { isa_free(list) }
    return Array(UnsafeBufferPointer(start: list, count: count))
  }

  private func originalName(of setter: kvo_setter_info, in cls: isa_class) -> String {
    let original = kvo_class_original(cls)!
    let owner = isa_class_find_method(original, setter.selector).map { isa_method_class($0)! }
    return
      "-[\(names.className(owner ?? original)) \(String(cString: isa_sel_name(setter.selector)))]"
  }

  /// The ivars that a class itself declares.
  func ivars(of cls: isa_class) -> [Fact.IvarView] {
    Inspector.ownIvars(of: cls).map {
      Fact.IvarView(
        name: String(cString: isa_ivar_name($0)), encoding: String(cString: isa_ivar_types($0)),
        offset: isa_ivar_offset($0))
    }
  }

  static func ownIvars(of cls: isa_class) -> [isa_ivar] {
    var list: UnsafeMutablePointer<isa_ivar?>?
    var count = 0
    guard isa_class_copy_ivars(cls, &list, &count) == ISA_OK else { return [] }
    defer { isa_free(list) }
    return UnsafeBufferPointer(start: list, count: count).map { $0! }
  }

  func registrations(of object: isa_id) -> [RegistrationView] {
    var list: UnsafeMutablePointer<kvo_registration_info>?
    var count = 0
    guard kvo_copy_registrations(object, &list, &count) == ISA_OK else { return [] }
    defer { isa_free(list) }
    return UnsafeBufferPointer(start: list, count: count).map { view(of: $0, on: object) }
  }

  /// Whom a change of the key would tell.
  func affected(by key: String, of object: isa_id) -> [RegistrationView] {
    var list: UnsafeMutablePointer<kvo_registration_info>?
    var count = 0
    guard kvo_copy_affected(object, key, &list, &count) == ISA_OK else { return [] }
    defer { isa_free(list) }
    return UnsafeBufferPointer(start: list, count: count).map { view(of: $0, on: object) }
  }

  private func view(of info: kvo_registration_info, on object: isa_id) -> RegistrationView {
    let root = info.root.map { names.name(ofObserver: $0) } ?? names.name(of: object)
    return RegistrationView(
      observer: names.name(ofObserver: info.observer), object: names.name(of: object),
      key: String(cString: info.key_path),
      options: ObserveStatement.options(inBits: info.options),
      context: UInt(bitPattern: info.context), isShared: info.is_shared,
      root: info.is_forwarder ? "\(root).\(String(cString: info.root_key_path))" : nil)
  }

  func pending(of object: isa_id) -> [PendingView] {
    var list: UnsafeMutablePointer<kvo_pending_info>?
    var count = 0
    guard kvo_copy_pending(object, &list, &count) == ISA_OK else { return [] }
    defer { isa_free(list) }
    return UnsafeBufferPointer(start: list, count: count).map {
      PendingView(key: String(cString: $0.key), kind: NotificationPattern.Kind($0.kind))
    }
  }

  /// The classes that exist, in the order in which they were made.
  static func registeredClasses() -> [isa_class] {
    var list: UnsafeMutablePointer<isa_class?>?
    var count = 0
    guard isa_class_copy_list(&list, &count) == ISA_OK else { return [] }
    defer { isa_free(list) }
    return UnsafeBufferPointer(start: list, count: count).compactMap { $0 }
  }
}
