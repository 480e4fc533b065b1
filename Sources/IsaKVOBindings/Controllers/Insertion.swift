/// An insertion by the controller's user, and how it is to be shown.
struct Insertion {
  /// The objects, in order.
  let objects: [ObjectIdentifier]
  /// Whether they become the selection.
  let selects: Bool
  /// The position from which on they are shown; nil for their own places.
  let position: Int?
  /// The state of the arrangement that has the position.
  let arrangementChanges: Int
  /// Whether the model has the objects, and is going to tell of them.
  var isMade = false
}
