// Things for the trials of the C interface, which leave nothing behind. Their subject is that interface.
import CIsa
import IsaRuntime

/// Makes a class, hands it on, and disposes of it.
func withClass(
  _ name: String = "K", prepare: (isa_class) -> Void = { _ in },
  _ body: (isa_class) -> isa_status
) -> isa_status {
  var made: isa_class?
  guard isa_class_pair_allocate(isa_root_class(), name, &made) == ISA_OK, let cls = made else {
    return ISA_OK
  }
  prepare(cls)
  isa_class_pair_register(cls)
  return keepingError(body(cls)) { isa_class_pair_dispose(cls) }
}

/// Makes an object of such a class as well.
func withObject(
  _ name: String = "K", prepare: (isa_class) -> Void = { _ in }, _ body: (isa_id) -> isa_status
) -> isa_status {
  withClass(name, prepare: prepare) { cls in
    var object: isa_id?
    isa_object_allocate(cls, &object)
    return keepingError(body(object!)) { isa_object_release(object) }
  }
}

/// Cleaning up may fail too, and must not hide what is shown.
func keepingError(_ status: isa_status, _ cleanUp: () -> Void) -> isa_status {
  if status == ISA_OK {
    cleanUp()
    return status
  }
  let refusal = Refusal(of: status)
  cleanUp()
  return isa_fail(status, refusal.exception, refusal.reason)
}

extension Refusal {
  /// The failure that the call just made ended in.
  init(of status: isa_status) { self.init(KeyValueError(cStatus: status.rawValue)) }
}

func addProperty(
  _ name: String, _ types: String, _ ownership: isa_ownership = ISA_OWNERSHIP_NONE,
  to cls: isa_class
) {
  name.withCString { name in
    types.withCString { types in
      var info = isa_property_info()
      info.name = name
      info.types = types
      info.ownership = ownership
      isa_class_synthesize(cls, &info)
    }
  }
}

func dropping(_ body: (inout isa_id?) -> isa_status) -> isa_status {
  var object: isa_id?
  let status = body(&object)
  return keepingError(status) { isa_object_release(object) }
}

func withShared(_ body: (kvo_shared_observers, isa_id) -> isa_status) -> isa_status {
  withObject { observer in
    var shared: kvo_shared_observers?
    kvo_shared_observers_make(isa_object_get_class(observer), &shared)
    return keepingError(body(shared!, observer)) { kvo_shared_observers_release(shared) }
  }
}

// MARK: Statuses

/// The status in a few words.
func statusText(_ status: UInt32) -> String { String(cString: isa_status_text(isa_status(status))) }

/// The exception that goes with a status, as the engine itself fills it in.
func usualException(_ status: UInt32) -> String {
  KeyValueError(cStatus: isa_fail(isa_status(status), nil, "").rawValue).exceptionName
}
