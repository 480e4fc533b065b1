// The part of IsaRuntime that KVObject's users meet, and need not import it for: options, kinds,
// errors, changes, and the process-wide switches. Classes made at run time are no part of it.

@_exported public import enum IsaRuntime.ChangeKind
@_exported public import struct IsaRuntime.KeyValueError
@_exported public import class IsaRuntime.KeyValueObservation
@_exported public import enum IsaRuntime.KeyValueProfile
@_exported public import enum IsaRuntime.KeyValueSettings
@_exported public import struct IsaRuntime.Misuse
@_exported public import enum IsaRuntime.MisusePolicy
@_exported public import class IsaRuntime.ObservationBag
@_exported public import struct IsaRuntime.ObservationContext
@_exported public import struct IsaRuntime.ObservationOptions
@_exported public import struct IsaRuntime.RuntimeAssociationKey
@_exported public import enum IsaRuntime.SetMutation
@_exported public import struct IsaRuntime.ValueChange
@_exported public import enum IsaRuntime.WrappingPolicy
