// What KVObject's users meet of IsaRuntime, which they need not import for it: options, kinds, errors,
// what is told, and the process-wide switches. Classes made at run time are not among it.

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
@_exported public import enum IsaRuntime.SetMutation
@_exported public import struct IsaRuntime.ValueChange
@_exported public import enum IsaRuntime.WrappingPolicy
