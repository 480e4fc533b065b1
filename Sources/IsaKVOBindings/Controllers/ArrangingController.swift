public import IsaKVO
internal import IsaKeyValue

/// Objects between a model and what shows them, in an arrangement and with a selection: what an
/// ``ArrayController`` and a ``TreeController`` have in common. Made by itself it shows nothing.
///
/// - Note: Source what `NSArrayController` and `NSTreeController` have alike, AppKit.
open class ArrangingController<Object: KVObject>: Controller, SelectionSource {
  // An operation notes what it has changed, and calls `settle()`. Observers that change the controller
  // meanwhile do the same; the outermost call does the work.

  // MARK: Settings

  /// Whether something is selected whenever something is shown, after the content or its arrangement
  /// has changed; true at first. Selecting nothing is possible all the same.
  @Dynamic public var avoidsEmptySelection = true
  /// Whether objects stay selected that stay shown; true at first. If not, their places do: of a tree
  /// where the roots are set or the order is another.
  @Dynamic public var preservesSelection = true
  /// Whether the controller selects what is added to it; true at first.
  @Dynamic public var selectsInsertedObjects = true
  /// Whether the user may add, change and remove; true at first.
  @Dynamic public var isEditable = true
  /// Whether the value of several selected objects is a marker even if they have the same; false at
  /// first.
  @Dynamic public var alwaysUsesMultipleValuesMarker = false
  /// Makes the object that is added where none is given; nil if it cannot.
  public var makeObject: () -> Object? = { nil }

  // MARK: State

  final var sorting: [SortKey<Object>] = []
  /// Whether the arrangement follows the properties that it depends on, and their watch.
  private(set) final var watches = false
  final var watch: ElementWatch?
  /// The model that the content is bound to, and its observation.
  final var source: ContentSource<Object>?
  final var contentToken: KeyValueObservation?
  /// How often the rows of a list have changed.
  final var arrangementChanges = 0
  private var isSettling = false
  /// How many callers are going to change more before the arrangement follows.
  private var holds = 0
  /// The selection that observers know of, while it is being changed; nil if they know the present one.
  final var notified: SelectionState?
  /// The keys whose change is announced and not ended.
  private var opened: SelectionKeys = []
  /// The keys of which some observers were told one value and others another.
  private var unsettled: SelectionKeys = []
  private var isClosing = false
  /// The selection that is shown instead of the present one, while observers are told of the past.
  final var past: SelectionState?
  final lazy var proxy = SelectionProxy(of: self)

  /// Declares the keys of the controller; a subclass adds to what `super` answers.
  open override class var keys: [KeyDeclaration] {
    super.keys + [
      .announced("sort", \ArrangingController.sort),
      .announced("automaticallyRearranges", \ArrangingController.automaticallyRearranges),
      .announced("selection", \ArrangingController.selection),
      .announced(
        "canRemove", \ArrangingController.canRemove, affectedBy: [\ArrangingController.isEditable]),
    ]
  }

  /// The order of what is shown, in a tree below each node: the first key tells, and if it does not, the
  /// next. Without keys it is that of the content. Setting it arranges at once.
  public var sort: [SortKey<Object>] {
    get { reading("sort") { sorting } }
    set { rearranging("sort") { sorting = newValue } }
  }

  /// Whether objects are sorted and filtered anew when a property changes by which they are; false at
  /// first. Setting it to true arranges.
  ///
  /// It watches the properties that ``sort`` and ``ArrayController/filter`` depend on, by the
  /// shared observers of the objects: an object that has `KeyValueSharedObservers` of its own loses
  /// them. An object that changes moves alone, and an object that stays in its place tells nothing.
  public var automaticallyRearranges: Bool {
    get { reading("automaticallyRearranges") { watches } }
    set {
      if newValue != watches { rearranging("automaticallyRearranges") { watches = newValue } }
    }
  }

  /// Makes a change of what the arrangement depends on, between its announcement and its end, and
  /// arranges.
  func rearranging(_ key: String, _ change: () -> Void) {}

  /// The selected objects as if they were one: an object that has their keys.
  public var selection: SelectionProxy { proxy }

  /// Whether removing the selected objects removes something: the controller is editable, and something
  /// is selected.
  public var canRemove: Bool { reading("canRemove") { isEditable && !shown.isEmpty } }

  final var proxiedObjects: [KVObject] { (past ?? notified ?? shown).objects }

  var awaitsContent: Bool { false }

  /// The model that the content is bound to; nil too once that has gone.
  var boundModel: ContentSource<Object>? { contentToken?.isValid ?? true ? source : nil }

  // MARK: Settling

  /// Whether there is something to arrange or to select.
  var isOutdated: Bool { false }

  /// Arranges what is to be arranged; if nothing is, tells of the selection.
  func arrangeOrNotify() { close() }

  /// Forgets what is to be arranged.
  func abandon() {}

  /// Lets go of what was kept for the time of settling.
  func didSettle() {}

  /// Arranges what is to be arranged and tells of the selection, unless a caller is doing that.
  final func settle() {
    if isSettling || holds > 0 { return }
    isSettling = true
    var rounds = 0
    while isOutdated || notified != nil {
      rounds += 1
      if rounds > KeyValueSettings.depthLimit { giveUp(rounds); break }
      arrangeOrNotify()
    }
    isSettling = false
    didSettle()
  }

  /// Makes changes of objects that the arrangement follows together.
  final func holding<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    holds += 1
    defer {
      holds -= 1
      settle()
    }
    return try body()
  }

  /// Ends an exchange between observers that would go on for ever.
  private func giveUp(_ rounds: Int) {
    abandon()
    close()
    Misuse.end(
      KeyValueError(
        .tooDeep, key: "arrangedObjects", className: className,
        reason: "observers of \(className) have changed it \(rounds - 1) times in answer to one "
          + "change"))
  }

  // MARK: Telling of the selection

  /// The selection at this moment.
  var present: SelectionState { SelectionState(objects: []) }

  /// Whether a selection that an observer changes before the present one is told is told along with it;
  /// else behind it.
  var passesLatest: Bool { true }

  /// The selection as observers may see it at this moment.
  final var shown: SelectionState {
    if let past, past.arrangementChanges == arrangementChanges { return past }
    return present
  }

  /// Notes the selection that observers know of, before it changes.
  final func beginNotifying() { if notified == nil { notified = present } }

  /// Announces that keys are about to change, which may have changed since observers were told last.
  ///
  /// They are shown the selection that they know of, unless its rows are not there any more.
  final func open(_ keys: SelectionKeys) {
    let new = keys.subtracting(opened)
    if new.isEmpty || isClosing { return }
    opened.formUnion(new)
    past = notified
    for (key, name) in SelectionKeys.names where new.contains(key) { willChangeValue(forKey: name) }
    if new.contains(.objects) { proxy.willChangeSelection() }
    past = nil
  }

  /// Ends the changes that are announced, and the changes that nobody has foreseen.
  final func close() {
    guard let before = notified else { return }
    var now = present
    repeat {
      let missing = now.differences(from: before).union(unsettled).subtracting(opened)
      if missing.isEmpty { break }
      open(missing)
      if passesLatest { now = present }
    } while passesLatest
    let closing = opened
    opened = []
    notified = now
    isClosing = true
    if closing.contains(.objects) { proxy.didChangeSelection() }
    for (key, name) in SelectionKeys.names.reversed() where closing.contains(key) {
      didChangeValue(forKey: name)
    }
    isClosing = false
    // An observer may have selected something else, which those behind it have seen.
    unsettled = present.differences(from: now)
    if unsettled.isEmpty { notified = nil }
  }
}
