// The product CIsa: the core from Swift, as a C program uses it.
import CIsa

func check(_ status: isa_status) {
  if status != ISA_OK { fatalError(String(cString: isa_last_error().pointee.reason)) }
}

var counter: isa_class?
var object: isa_id?
var number: isa_id?
var token: kvo_token?
check(isa_class_pair_allocate(isa_root_class(), "Counter", &counter))
check(isa_class_add_ivar(counter, "count", "q", ISA_OWNERSHIP_NONE))
check(isa_class_pair_register(counter))
check(isa_object_allocate(counter, &object))

var observer = kvo_function()
observer.callback = { change, _ in
  print(change!.pointee.new_value.address.load(as: Int64.self))
}
check(kvo_observe(object, "count", kvo_options(KVO_OPTION_NEW), &observer, nil, &token))
check(kvc_number_make_integer(3, &number))
check(kvc_set_value(object, "count", number))
kvo_token_release(token)
isa_object_release(number)
isa_object_release(object)
