// The trials that no scenario can be: calls of the C interface, with which it shows its own errors. Each
// leaves the runtime as it was.
import CIsa
import IsaRuntime

/// Calls of the C interface.
struct CallTrial: Sendable {
  private var body: @Sendable () -> isa_status

  init(_ body: @escaping @Sendable () -> isa_status) { self.body = body }

  /// Collects misuse, which has no caller to be answered to.
  private final class Misuses {
    var last: Refusal?
  }

  func run() -> Refusal? {
    let misuses = Misuses()
    let collected = Unowned(misuses)
    KeyValueSettings.misuseHandler = { collected.object.last = Refusal($0) }
    defer { KeyValueSettings.misuseHandler = nil }
    let status = body()
    return misuses.last ?? (status == ISA_OK ? nil : Refusal(of: status))
  }
}

/// Calls that end the process.
enum StopTrial: String, CaseIterable, Sendable {
  case unanswered, keptInDealloc, noClass, noLetter

  /// Does not come back, if the runtime is as it should be.
  func run() {
    var object: isa_id?
    isa_object_allocate(isa_root_class(), &object)
    switch self {
    case .unanswered: _ = isa_lookup_unrecognized(object, isa_sel_register("fly"))
    case .keptInDealloc: retainInDealloc()
    case .noClass: _ = isa_class_name(nil)
    case .noLetter: isa_send_value(object, isa_sel_register("setX:"), 122, &object)
    }
  }

  private func retainInDealloc() {
    _ = withDealloc { object in
      isa_object_retain(object)
      return ISA_OK
    }
  }
}

extension CallTrial {
  /// By the names that their texts give them.
  static let all = [
    "noMemory": noMemory, "missing": missing, "wrongKeys": wrongKeys, "notText": notText,
    "noNumber": noNumber, "wrongShape": wrongShape, "wrongShared": wrongShared,
    "metaclass": metaclass, "exists": exists,
    "notFound": notFound, "inUse": inUse, "itself": itself, "registered": registered,
    "notRegistered": notRegistered, "badEncoding": badEncoding, "notPassable": notPassable,
    "noTrampoline": noTrampoline, "unsupported": unsupported, "options": options,
    "classObject": classObject, "sharedPath": sharedPath, "notShared": notShared,
    "longPath": longPath, "endless": endless, "dying": dying, "weakSetter": weakSetter,
    "noCopy": noCopy, "leaving": leaving, "listeners": listeners,
    "traceOverOther": traceOverOther, "noTrace": noTrace,
    "secondTrace": secondTrace, "traceNowhere": traceNowhere, "traceWithoutPath": traceWithoutPath,
  ]

  private static let noMemory = CallTrial {
    withClass(prepare: {
      isa_class_add_ivar($0, "room", "[1152921504606846976c]", ISA_OWNERSHIP_NONE)
    }) {
      cls in dropping { isa_object_allocate(cls, &$0) }
    }
  }

  private static let missing = CallTrial {
    dropping { kvc_copy_value(nil, "name", &$0) }
  }

  private static let wrongKeys = CallTrial {
    withClass { kvo_class_set_keys($0, nil, "full") }
  }

  private static let notText = CallTrial {
    dropping { kvc_string_make_bytes([CChar(-1)], 1, &$0) }
  }

  private static let noNumber = CallTrial {
    withObject { object in
      withUnsafePointer(to: object) { bytes in
        dropping { kvc_number_make_in(isa_object_get_class(object), 64, bytes, nil, &$0) }
      }
    }
  }

  private static let wrongShape = CallTrial {
    withObject { object in
      var value: Int64 = 1
      return isa_set_typed(object, isa_sel_register("class"), "q", &value, 8)
    }
  }

  private static let wrongShared = CallTrial {
    withShared { shared, _ in
      withObject("Other") { kvo_set_shared_observers($0, shared) }
    }
  }

  private static let metaclass = CallTrial {
    withClass { cls in dropping { isa_object_allocate(isa_class_metaclass(cls), &$0) } }
  }

  private static let exists = CallTrial {
    withClass { cls in
      var again: isa_class?
      return isa_class_pair_allocate(isa_root_class(), "K", &again)
    }
  }

  private static let traceOverOther = CallTrial { isa_trace_start("/dev/null", nil) }

  private static let noTrace = CallTrial { isa_trace_stop() }

  private static let secondTrace = CallTrial { tracingTwice() }

  private static let traceNowhere = CallTrial { isa_trace_start("/no/folder/run.kvotrace", nil) }

  private static let traceWithoutPath = CallTrial { isa_trace_start("", nil) }

  private static let notFound = CallTrial {
    isa_imp_dispose(isa_class_find_imp(isa_root_class(), isa_sel_register("class")))
  }

  private static let inUse = CallTrial {
    withObject { isa_class_pair_dispose(isa_object_get_class($0)) }
  }

  private static let listeners = CallTrial {
    var made: [isa_event_listener] = []
    var status = ISA_OK
    while status == ISA_OK {
      var listener: isa_event_listener = 0
      status = isa_event_add_listener(1 << 1, { _, _ in }, nil, &listener)
      made.append(listener)
    }
    return keepingError(status) { for listener in made { isa_event_remove_listener(listener) } }
  }

  private static let itself = CallTrial { changingAProxyOfItself() }

  private static let registered = CallTrial {
    withClass { isa_class_add_ivar($0, "late", "q", ISA_OWNERSHIP_NONE) }
  }

  private static let notRegistered = CallTrial {
    var made: isa_class?
    isa_class_pair_allocate(isa_root_class(), "K", &made)
    let status = dropping { isa_object_allocate(made, &$0) }
    return keepingError(status) { isa_class_pair_dispose(made) }
  }

  private static let badEncoding = CallTrial {
    var size = 0
    var align = 0
    return isa_encoding_measure("{Point=dd", &size, &align, nil)
  }

  private static let notPassable = CallTrial {
    isa_call_check("v@:(Either=id)")
  }

  private static let noTrampoline = CallTrial { withTrampolinesDenied() }

  private static let unsupported = CallTrial {
    isa_fail(ISA_ERR_UNSUPPORTED, nil, "this setter only reads")
  }
}

extension CallTrial {
  private static let options = CallTrial {
    withObject { object in kvo_add_observer(object, object, "x", 64, nil) }
  }

  private static let classObject = CallTrial {
    withObject { kvo_add_observer(isa_class_as_object(isa_object_get_class($0)), $0, "x", 0, nil) }
  }

  private static let sharedPath = CallTrial {
    withShared { kvo_shared_observers_add($0, $1, "home.city", 0, nil) }
  }

  private static let notShared = CallTrial {
    withShared { kvo_shared_observers_remove($0, $1, "x", nil) }
  }

  private static let longPath = CallTrial {
    let path = Array(repeating: "next", count: 1025).joined(separator: ".")
    return withObject { kvo_add_observer($0, $0, path, 0, nil) }
  }

  private static let endless = CallTrial { settingWithoutEnd() }

  private static let dying = CallTrial {
    withDealloc({ object in kvo_add_observer(object, object, "x", 0, nil) })
  }

  private static let weakSetter = CallTrial { settingWeaklyInDealloc() }

  private static let noCopy = CallTrial { settingWhatCannotBeCopied() }

  private static let leaving = CallTrial { endingAThreadInACallback() }
}
