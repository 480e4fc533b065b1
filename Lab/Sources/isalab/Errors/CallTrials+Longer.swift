// The longer trials of the C interface.
import CIsa
import CIsa.Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

private func send(_ object: isa_id, _ setter: String, _ value: isa_id?) {
  withUnsafePointer(to: value) { isa_send_value(object, isa_sel_register(setter), 64, $0) }
}

private func send(_ object: isa_id, _ setter: String, _ value: Int64) {
  withUnsafePointer(to: value) { isa_send_value(object, isa_sel_register(setter), 113, $0) }
}

func changingAProxyOfItself() -> isa_status {
  withObject(prepare: { addProperty("items", "@", to: $0) }) { object in
    dropping { proxy in
      kvc_proxy_make_array(object, "items", &proxy)
      kvc_set_value(object, "items", proxy)
      let status = kvc_ordered_insert(proxy, object, 0)
      return keepingError(status) { kvc_set_value(object, "items", nil) }
    }
  }
}

func withTrampolinesDenied() -> isa_status {
  isa_testing_deny_trampolines(true)
  defer { isa_testing_deny_trampolines(false) }
  var imp: isa_imp?
  return isa_imp_make("v@:q", { _, _, _ in }, nil, nil, &imp)
}

/// Runs a body in an object's dealloc, where a failure has nobody to be answered to.
func withDealloc(_ body: @escaping (isa_id) -> isa_status) -> isa_status {
  let box = DeallocBox(body)
  let context = Unmanaged.passUnretained(box).toOpaque()
  let prepare = { (cls: isa_class) -> Void in
    isa_class_add_callback(
      cls, isa_sel_register("dealloc"), "v@:",
      { _, arguments, context in
        let box = Unmanaged<DeallocBox>.fromOpaque(context!).takeUnretainedValue()
        let object = arguments![0]!.assumingMemoryBound(to: isa_id.self).pointee
        let status = box.body(object)
        if status != ISA_OK { box.refusal = Refusal(of: status) }
      }, context, nil)
  }
  _ = withObject(prepare: prepare) { _ in ISA_OK }
  guard let refusal = box.refusal else { return ISA_OK }
  return isa_fail(ISA_ERR_DEALLOCATING, refusal.exception, refusal.reason)
}

private final class DeallocBox {
  let body: (isa_id) -> isa_status
  var refusal: Refusal?

  init(_ body: @escaping (isa_id) -> isa_status) { self.body = body }
}

func settingWeaklyInDealloc() -> isa_status {
  withObject("Other", prepare: { addWeakOwner(to: $0) }) { other in
    withDealloc { object in
      send(other, "setOwner:", object)
      return ISA_OK
    }
  }
}

private func addWeakOwner(to cls: isa_class) {
  addProperty("owner", "@", ISA_OWNERSHIP_WEAK, to: cls)
}

func settingWhatCannotBeCopied() -> isa_status {
  let prepare = { addProperty("title", "@", ISA_OWNERSHIP_COPY, to: $0) }
  return withObject(prepare: prepare) { object in
    send(object, "setTitle:", object)
    return ISA_OK
  }
}

func settingWithoutEnd() -> isa_status {
  withObject(prepare: { addProperty("x", "q", to: $0) }) { object in
    var function = kvo_function()
    function.callback = { change, _ in send(change!.pointee.object, "setX:", 1) }
    var token: kvo_token?
    let status = kvo_observe(object, "x", 0, &function, nil, &token)
    if status == ISA_OK { send(object, "setX:", 1) }
    return keepingError(status) { kvo_token_release(token) }
  }
}

/// Ends a thread of its own inside a callback, and comes back once that thread has gone.
func endingAThreadInACallback() -> isa_status {
  withObject(prepare: { addProperty("x", "q", to: $0) }) { object in
    var function = kvo_function()
    function.callback = { _, _ in pthread_exit(nil) }
    var token: kvo_token?
    let status = kvo_observe(object, "x", 0, &function, nil, &token)
    if status == ISA_OK { OtherThread.run { send(object, "setX:", 1) } }
    return keepingError(status) { kvo_token_release(token) }
  }
}

func tracingTwice() -> isa_status {
  let first = isa_trace_start("/tmp/isalab-%p.kvotrace", nil)
  let path = isa_trace_copy_path()
  defer {
    isa_trace_stop()
    path.map { _ = unlink($0) }
    isa_free(path)
  }
  return first == ISA_OK ? keepingError(isa_trace_start("/tmp/again-%p.kvotrace", nil)) {} : first
}
