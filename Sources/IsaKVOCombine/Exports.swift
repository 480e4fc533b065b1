// Combine itself, so that a program has its names on every system by one import.

#if Combine
  #if canImport(Combine)
    @_exported public import Combine
  #else
    @_exported public import OpenCombine
  #endif
#endif
