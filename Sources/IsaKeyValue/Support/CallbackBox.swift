// Closure ↔ context pointer: a Swift object that the C core keeps alive as the context of a
// callback, and releases through `releaseContext`.
internal import CIsa

/// The address that the C core passes to a callback.
package typealias Context = UnsafeMutableRawPointer

/// The context for `box`, with a +1 that ``releaseContext`` gives back.
package func retainedContext(_ box: AnyObject) -> Context { Unmanaged.passRetained(box).toOpaque() }

/// Gives back the +1 of a context.
package let releaseContext: @convention(c) (Context?) -> Void = { context in
  guard let context else { return }
  Unmanaged<AnyObject>.fromOpaque(context).release()
}

/// The box behind a context.
@inline(__always)
package func box<Box: AnyObject>(_ context: Context?, as type: Box.Type) -> Box {
  Unmanaged<Box>.fromOpaque(context!).takeUnretainedValue()
}
