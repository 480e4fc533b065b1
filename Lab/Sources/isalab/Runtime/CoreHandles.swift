// Handles and statuses of the C core, for what has the core itself as its subject: the functions and
// methods that it tells (Listeners.swift), its index sets in messages, the designs that go around it
// and the trials of its interface. All else here stands on IsaRuntime.
import CIsa
import IsaRuntime

extension RuntimeClass {
  init(_ cls: isa_class) { self.init(unsafeAddress: UInt(bitPattern: cls)) }

  var cls: isa_class { isa_class(bitPattern: address)! }
}

extension RuntimeObject {
  convenience init(_ object: isa_id) { self.init(unsafeAddress: UInt(bitPattern: object)) }

  var id: isa_id { isa_id(bitPattern: address)! }
}

/// Whether an object that has not been freed lives: of one that is going nothing is read, since a
/// reference would have it go twice.
func isAlive(objectAt address: UInt) -> Bool {
  isa_object_retain_count(isa_id(bitPattern: address)) > 0
}

/// Throws what the core has to say of a status other than ISA_OK.
func refusing(_ status: isa_status) throws(KeyValueError) {
  if status != ISA_OK { throw KeyValueError(cStatus: status.rawValue) }
}
