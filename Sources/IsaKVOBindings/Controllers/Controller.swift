public import IsaKVO
internal import IsaKeyValue

/// An object between a model and what shows it, which knows of the edits that are not yet in the model.
///
///     final class Field: Editor {
///       func textDidChange() { controller.objectDidBeginEditing(self) }
///       func commitEditing() throws(KeyValueError) { … }
///       func discardEditing() { … }
///     }
///
/// A controller whose content is what another one has selected is an editor of that one while it has
/// editors itself: they commit before the other one selects something else.
///
/// A controller belongs to one thread, or to one actor, as its objects do.
///
/// - Note: Source `NSController`, AppKit.
open class Controller: KVObject, Editor, EditorRegistry {
  private var editors: [EditorReference] = []
  /// The editors that are being asked to commit.
  private var committing: Set<ObjectIdentifier> = []
  /// The controllers that know of this one as an editor.
  private var masters: [RegistryReference] = []
  /// The key path that the content is bound to, unless a binding has it.
  final var contentPath: ContentPath? { didSet { updatePlace() } }
  /// Whether observers know of a place for what is added, and whether they are being told otherwise.
  private var isPlaceKnown = true, isNotifyingPlace = false
  private var thread: UInt?
  /// The refusal of a selection that is set by its key.
  private var refusal: Refusal?

  private enum Refusal {
    case awaited, met(KeyValueError)
  }

  /// The place to which changes of elements are taken that other threads make. The thread that sets
  /// this is the controller's own: its changes are followed at once.
  ///
  /// If nil, as at first, changes are followed at once on any thread: right for elements that belong to
  /// the same actor. A controller that is a `MainActorObject` follows changes that are made
  /// elsewhere on the main actor, with any value of this.
  public var delivery: KeyValueDelivery<KeyValueQueue>? {
    didSet { thread = delivery == nil ? nil : currentThread() }
  }

  /// Declares the key `editing`; a subclass adds to what `super` answers.
  open override class var keys: [KeyDeclaration] {
    [.announced("editing", \Controller.isEditing)]
  }

  /// Whether an editor has begun and not ended; told to observers.
  public var isEditing: Bool { reading("editing") { editors.contains { $0.editor != nil } } }

  /// Runs `work` where the controller belongs: at once, if that is here.
  final func atHome(_ work: @escaping () -> Void) {
    let work = Unchecked(work)
    if self is any MainActorObject {
      if isOnMainActor() { work.value() } else { Task { @MainActor in work.value() } }
    } else if let delivery, currentThread() != thread {
      delivery.enqueue { work.value() }
    } else {
      work.value()
    }
  }

  // MARK: Selecting

  /// Sets a key.
  ///
  /// - Throws: As any object; the refusal of an editor, which keeps the selection that was to be set.
  open override func setValue(_ value: Any?, forKey key: String) throws(KeyValueError) {
    let outer = refusal
    refusal = key.hasPrefix("select") ? .awaited : nil
    defer { refusal = outer }
    try super.setValue(value, forKey: key)
    if case .met(let error) = refusal { throw error }
  }

  /// Selects something by a setter: an editor's refusal is thrown if a key is being set, and else a
  /// misuse.
  final func selecting(_ select: () throws(KeyValueError) -> Bool) {
    let isByKey = refusal != nil
    refusal = nil
    do { _ = try select() } catch {
      if isByKey { refusal = .met(error) } else { Misuse.end(error) }
    }
  }

  // MARK: Editors

  /// Notes that an editor has changes that are not in the model.
  ///
  /// - Parameter editor: It is not retained, and counts as one however often it begins.
  /// - Note: Source `objectDidBeginEditing:`, NSEditorRegistration.
  open func objectDidBeginEditing(_ editor: any Editor) {
    change { editors in
      if !editors.contains(where: { $0.editor === editor }) {
        editors.append(EditorReference(editor: editor))
      }
    }
  }

  /// Notes that an editor has committed or discarded its changes.
  ///
  /// - Note: Source `objectDidEndEditing:`, NSEditorRegistration.
  open func objectDidEndEditing(_ editor: any Editor) {
    change { editors in editors.removeAll { $0.editor === editor } }
  }

  /// Has the editors that have begun put their changes into the model, in the order in which they
  /// began. An editor that is doing so already is not asked again.
  ///
  /// - Throws: The first editor's refusal; those before it have committed, those behind it are not
  ///   asked.
  /// - Note: Source `commitEditing`, NSEditor.
  open func commitEditing() throws(KeyValueError) {
    for reference in editors {
      guard let editor = reference.editor else { continue }
      let identity = ObjectIdentifier(editor)
      guard committing.insert(identity).inserted else { continue }
      defer { committing.remove(identity) }
      try editor.commitEditing()
      if !isEditing(editor) { objectDidEndEditing(editor) }
    }
  }

  /// Has the editors that have begun drop their changes.
  ///
  /// - Note: Source `discardEditing`, NSEditor.
  open func discardEditing() {
    for reference in editors {
      guard let editor = reference.editor else { continue }
      editor.discardEditing()
      objectDidEndEditing(editor)
    }
  }

  /// Whether the editors commit.
  final func commits() -> Bool {
    do {
      try commitEditing()
      return true
    } catch {
      return false
    }
  }

  /// Has the editors commit what can be committed; once one refuses, all discard.
  final func commitOrDiscardEditing() { if isEditing, !commits() { discardEditing() } }

  /// Whether an editor goes on editing, as it does where it was committing already.
  private func isEditing(_ editor: any Editor) -> Bool {
    (editor as? Controller)?.isEditing ?? (editor as? NamedPushes)?.isEditing ?? false
  }

  private func change(_ change: (inout [EditorReference]) -> Void) {
    var next = editors.filter { $0.editor != nil }
    change(&next)
    guard next.isEmpty != editors.isEmpty else { return editors = next }
    announcing("editing") { editors = next }
    for master in masters { master.registry?.objectDidEndEditing(self) }
    masters = isEditing ? contentPaths.flatMap(\.registries) : []
    for master in masters { master.registry?.objectDidBeginEditing(self) }
  }

  // MARK: Content of another controller

  /// The key paths of other objects that the content is bound to.
  private var contentPaths: [ContentPath] {
    let named = bindings.filter { $0.withState { $0.named?.key } == "content" }.map(\.info)
      .map { ContentPath(model: $0.observedObject, keyPath: $0.observedKeyPath) }
    return ([contentPath].compactMap(\.self) + named).filter { $0.model != nil }
  }

  /// Whether there is a place for what is added: the content is the controller's own, or the property of
  /// an object that there is.
  final var hasPlace: Bool { isPlaceKnown || !isNotifyingPlace && findsPlace }

  private var findsPlace: Bool { contentPaths.allSatisfy { isPlace(ownerCount: $0.ownerCount) } }

  /// Whether something can be added to the properties of so many objects.
  func isPlace(ownerCount: Int) -> Bool { ownerCount == 1 }

  /// Tells whether something can be added, if observers know otherwise.
  final func updatePlace() {
    if findsPlace == isPlaceKnown { return }
    let keys = ["canAdd", "canInsert"].filter(knownKeys.contains)
    isNotifyingPlace = true
    for key in keys { willChangeValue(forKey: key) }
    (isPlaceKnown, isNotifyingPlace) = (!isPlaceKnown, false)
    for key in keys.reversed() { didChangeValue(forKey: key) }
  }
}

/// A key path that the content of a controller is bound to.
struct ContentPath {
  private(set) weak var model: KVObject?
  let keyPath: String

  /// The controllers on the way.
  var registries: [RegistryReference] { model?.registries(along: keyPath) ?? [] }

  /// How many objects have the property.
  var ownerCount: Int {
    let owner = try? model?.owner(of: keyPath)
    return (owner as? SelectionProxy)?.objects.count ?? (owner is KVObject ? 1 : 0)
  }
}

/// An editor that has begun, for as long as it lives.
private struct EditorReference {
  weak var editor: (any Editor)?
}

extension KVObject {
  /// Makes a change between its announcement and its end.
  func announcing(_ key: String, _ change: () -> Void) {
    willChangeValue(forKey: key)
    change()
    didChangeValue(forKey: key)
  }
}
