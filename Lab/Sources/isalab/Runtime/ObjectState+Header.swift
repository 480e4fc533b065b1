// The words of an object's header, which a scenario shows as the core has them.
import CIsa
import IsaRuntime

extension ObjectState.Record {
  init(of object: RuntimeObject) {
    let word = isa_header_record(UnsafePointer<isa_header>(object.id))
    if word & UInt(ISA_RECORD_IMMORTAL) != 0 {
      self = .immortal
    } else {
      self = word & UInt(ISA_RECORD_INLINE) != 0 ? .count : .side
    }
  }
}
