// The part of IsaKeyValue that KVObject's users meet, and need not import it for: options, kinds,
// errors, changes, and the process-wide switches. It does not have classes made at run time.

@_exported public import enum IsaKeyValue.ChangeKind
@_exported public import struct IsaKeyValue.KeyValueError
@_exported public import class IsaKeyValue.KeyValueObservation
@_exported public import enum IsaKeyValue.KeyValueProfile
@_exported public import enum IsaKeyValue.KeyValueSettings
@_exported public import enum IsaKeyValue.KeyValueTrace
@_exported public import struct IsaKeyValue.Misuse
@_exported public import enum IsaKeyValue.MisusePolicy
@_exported public import class IsaKeyValue.ObservationBag
@_exported public import struct IsaKeyValue.ObservationContext
@_exported public import struct IsaKeyValue.ObservationOptions
@_exported public import struct IsaKeyValue.RuntimeAssociationKey
@_exported public import enum IsaKeyValue.SetMutation
@_exported public import struct IsaKeyValue.ValueChange
@_exported public import enum IsaKeyValue.WrappingPolicy
