import CIsa

// The trials that no scenario can be: each leaves the runtime as it was.

extension CallTrial {
  static let noMemory = CallTrial(
    """
    isa_class_add_ivar(k, "room", "[1152921504606846976c]",
                       ISA_OWNERSHIP_NONE);
    isa_class_pair_register(k);
    isa_object_allocate(k, &object);
    """
  ) {
    withClass(prepare: {
      isa_class_add_ivar($0, "room", "[1152921504606846976c]", ISA_OWNERSHIP_NONE)
    }) {
      cls in dropping { isa_object_allocate(cls, &$0) }
    }
  }

  static let missing = CallTrial("kvc_copy_value(NULL, \"name\", &value);") {
    dropping { kvc_copy_value(nil, "name", &$0) }
  }

  static let wrongKeys = CallTrial("kvo_class_set_keys(k, NULL, \"full\");") {
    withClass { kvo_class_set_keys($0, nil, "full") }
  }

  static let notText = CallTrial("kvc_string_make(\"\\xff\", &string);") {
    dropping { kvc_string_make_bytes([CChar(-1)], 1, &$0) }
  }

  static let noNumber = CallTrial("kvc_number_make_in(k, '@', &object, NULL, &number);") {
    withObject { object in
      withUnsafePointer(to: object) { bytes in
        dropping { kvc_number_make_in(isa_object_get_class(object), 64, bytes, nil, &$0) }
      }
    }
  }

  static let wrongShared = CallTrial(
    """
    kvo_shared_observers_make(k, &shared); // for instances of K
    kvo_set_shared_observers(other, shared); // which this is not
    """
  ) {
    withShared { shared, _ in
      withObject("Other") { kvo_set_shared_observers($0, shared) }
    }
  }

  static let metaclass = CallTrial("isa_object_allocate(isa_class_metaclass(k), &object);") {
    withClass { cls in dropping { isa_object_allocate(isa_class_metaclass(cls), &$0) } }
  }

  static let exists = CallTrial("isa_class_pair_allocate(isa_root_class(), \"K\", &again);") {
    withClass { cls in
      var again: isa_class?
      return isa_class_pair_allocate(isa_root_class(), "K", &again)
    }
  }

  static let notFound = CallTrial(
    """
    imp = isa_class_find_imp(isa_root_class(), isa_sel_register("class"));
    isa_imp_dispose(imp);
    """
  ) {
    isa_imp_dispose(isa_class_find_imp(isa_root_class(), isa_sel_register("class")))
  }

  static let inUse = CallTrial(
    """
    isa_object_allocate(k, &object);
    isa_class_pair_dispose(k);
    """
  ) {
    withObject { isa_class_pair_dispose(isa_object_get_class($0)) }
  }

  static let itself = CallTrial(
    """
    kvc_copy_mutable_array(k, "items", &proxy);
    kvc_set_value(k, "items", proxy); // the proxy's own key
    kvc_ordered_insert(proxy, k, 0);
    """
  ) { changingAProxyOfItself() }

  static let registered = CallTrial(
    """
    isa_class_pair_register(k);
    isa_class_add_ivar(k, "late", "q", ISA_OWNERSHIP_NONE);
    """
  ) {
    withClass { isa_class_add_ivar($0, "late", "q", ISA_OWNERSHIP_NONE) }
  }

  static let notRegistered = CallTrial(
    """
    isa_class_pair_allocate(isa_root_class(), "K", &k);
    isa_object_allocate(k, &object);
    """
  ) {
    var made: isa_class?
    isa_class_pair_allocate(isa_root_class(), "K", &made)
    let status = dropping { isa_object_allocate(made, &$0) }
    return keepingError(status) { isa_class_pair_dispose(made) }
  }

  static let badEncoding = CallTrial("isa_encoding_measure(\"{Point=dd\", &size, &align, NULL);") {
    var size = 0
    var align = 0
    return isa_encoding_measure("{Point=dd", &size, &align, nil)
  }

  static let notPassable = CallTrial("isa_call_check(\"v@:(Either=id)\");") {
    isa_call_check("v@:(Either=id)")
  }

  static let noTrampoline = CallTrial(
    """
    // on a system that grants no executable memory
    isa_imp_make("v@:q", callback, NULL, NULL, &imp);
    """
  ) { withTrampolinesDenied() }

  static let unsupported = CallTrial(
    """
    // in a method of your own
    return isa_fail(ISA_ERR_UNSUPPORTED, NULL, "this setter only reads");
    """
  ) { isa_fail(ISA_ERR_UNSUPPORTED, nil, "this setter only reads") }
}

extension CallTrial {
  static let options = CallTrial("kvo_add_observer(k, o, \"x\", 64, NULL);") {
    withObject { object in kvo_add_observer(object, object, "x", 64, nil) }
  }

  static let classObject = CallTrial(
    "kvo_add_observer(isa_class_as_object(k), o, \"x\", 0, NULL);"
  ) {
    withObject { kvo_add_observer(isa_class_as_object(isa_object_get_class($0)), $0, "x", 0, nil) }
  }

  static let sharedPath = CallTrial(
    "kvo_shared_observers_add(shared, o, \"home.city\", 0, NULL);"
  ) { withShared { kvo_shared_observers_add($0, $1, "home.city", 0, nil) } }

  static let notShared = CallTrial("kvo_shared_observers_remove(shared, o, \"x\", NULL);") {
    withShared { kvo_shared_observers_remove($0, $1, "x", nil) }
  }

  static let longPath = CallTrial(
    "kvo_add_observer(k, o, \"next.next.next…\", 0, NULL); // 129 keys"
  ) {
    let path = Array(repeating: "next", count: 129).joined(separator: ".")
    return withObject { kvo_add_observer($0, $0, path, 0, nil) }
  }

  static let endless = CallTrial(
    """
    // the observer of x sets x again, whatever it is
    kvo_observe(k, "x", 0, &function, NULL, &token);
    ISA_SEND(void (*)(isa_id, isa_sel, int64_t), k, set_x, 1);
    """
  ) { settingWithoutEnd() }

  static let dying = CallTrial(
    """
    // in dealloc of K
    kvo_add_observer(self, o, "x", 0, NULL);
    """
  ) {
    withDealloc({ object in kvo_add_observer(object, object, "x", 0, nil) })
  }

  static let weakSetter = CallTrial(
    """
    // in dealloc of K; owner is a weak property
    ISA_SEND(void (*)(isa_id, isa_sel, isa_id), other, set_owner, self);
    """
  ) { settingWeaklyInDealloc() }

  static let noCopy = CallTrial(
    """
    // title is a property with ISA_OWNERSHIP_COPY; K has no method copy
    ISA_SEND(void (*)(isa_id, isa_sel, isa_id), k, set_title, k);
    """
  ) { settingWhatCannotBeCopied() }
}
