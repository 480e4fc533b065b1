import CIsa

/// Makes the metaclass's method `keyPathsForValuesAffecting<Key>` answer with `keyPaths`.
func declare(_ cls: isa_class, _ key: String, affectedBy keyPaths: String...) throws {
  try answerAffecting(cls, key) { try? CollectionType.set(keyPaths.map { try .string($0) }) }
}

/// Makes the metaclass's method `keyPathsForValuesAffecting<Key>` answer with what `answer` makes;
/// nil is no set at all.
func answerAffecting(_ cls: isa_class, _ key: String, _ answer: @escaping () -> Boxed?) throws {
  let name = "keyPathsForValuesAffecting" + key.prefix(1).uppercased() + key.dropFirst()
  try addMethod(isa_class_metaclass(cls), name, "i@:^@") { call in
    let slot = call.argument(2, as: UnsafeMutablePointer<isa_id?>.self)
    let answer = answer()
    slot.pointee = isa_object_retain(answer?.id)
    call.answer(ISA_OK)
  }
}

/// The texts in a set, in alphabetical order.
func texts(in set: Boxed) throws -> [String] {
  let all = try Boxed { kvc_collection_make(KVC_KIND_ARRAY, false, set.id, $0) }
  return try (0..<all.count).map { index in
    let text = try Boxed { kvc_ordered_copy_object(all.id, index, $0) }
    return String(cString: kvc_string_text(text.id))
  }.sorted()
}

func affecting(_ cls: isa_class, _ key: String) throws -> [String] {
  try texts(in: Boxed { kvo_class_copy_affecting(cls, key, $0) })
}

func closure(_ cls: isa_class, _ key: String) throws -> [String] {
  try texts(in: Boxed { kvo_class_copy_all_affecting(cls, key, $0) })
}

/// A registration as introspection shows it, its texts copied.
struct RegistrationInfo: Equatable {
  let keyPath, rootKeyPath: String
  let options: ObservingOptions
  let observer, root, context: UnsafeRawPointer?
  let isFunction, isShared, isForwarder: Bool
  let since: UInt64

  fileprivate init(_ info: kvo_registration_info) {
    keyPath = String(cString: info.key_path)
    rootKeyPath = String(cString: info.root_key_path)
    options = ObservingOptions(rawValue: info.options)
    observer = info.observer
    root = info.root
    context = UnsafeRawPointer(info.context)
    (isFunction, isShared, isForwarder) = (info.is_function, info.is_shared, info.is_forwarder)
    since = info.since
  }
}

extension Instance {
  var registrations: [RegistrationInfo] {
    get throws { try infos { kvo_copy_registrations(id, $0, $1) } }
  }

  func affected(by key: String) throws -> [RegistrationInfo] {
    try infos { kvo_copy_affected(id, key, $0, $1) }
  }

  private func infos(
    _ copy: (
      UnsafeMutablePointer<UnsafeMutablePointer<kvo_registration_info>?>,
      UnsafeMutablePointer<Int>
    ) -> isa_status
  ) throws -> [RegistrationInfo] {
    var list: UnsafeMutablePointer<kvo_registration_info>?, count = 0
    try check(copy(&list, &count))
    defer { isa_free(list) }
    return (0..<count).map { RegistrationInfo(list![$0]) }
  }
}
