// What both faces of the core share is seen by those who import this one.

@_exported public import IsaKeyValue
