public import IsaKVO
internal import IsaRuntime

/// An object between a model and what shows it, which knows of the edits that are not yet in the model.
///
///     final class Field: Editor {
///       func textDidChange() { controller.objectDidBeginEditing(self) }
///       func commitEditing() throws(KeyValueError) { … }
///       func discardEditing() { … }
///     }
///
/// A controller belongs to one thread, or to one actor, as its objects do.
///
/// - Note: Source `NSController`, AppKit.
open class Controller: KVObject, Editor, EditorRegistry {
  private var editors: [EditorReference] = []
  private var thread: UInt?

  /// The place to which changes of elements are taken that are made on other threads than the one on
  /// which this is set, the controller's own. Changes on that thread are followed at once.
  ///
  /// If nil, as at first, changes are followed at once on any thread: right for elements that belong to
  /// the same actor. A controller that is a `MainActorObject` follows changes that are made elsewhere on
  /// the main actor, whatever this is.
  public var delivery: KeyValueDelivery<KeyValueQueue>? {
    didSet { thread = delivery == nil ? nil : currentThread() }
  }

  /// Declares the key `editing`; a subclass adds to what `super` answers.
  open override class var keys: [KeyDeclaration] {
    [.key("editing", \Controller.isEditing, notifiesAutomatically: false)]
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
  /// began.
  ///
  /// - Throws: The first editor's refusal; those before it have committed, those behind it are not
  ///   asked.
  /// - Note: Source `commitEditing`, NSEditor.
  open func commitEditing() throws(KeyValueError) {
    for reference in editors {
      guard let editor = reference.editor else { continue }
      try editor.commitEditing()
      objectDidEndEditing(editor)
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

  private func change(_ change: (inout [EditorReference]) -> Void) {
    var next = editors.filter { $0.editor != nil }
    change(&next)
    guard next.isEmpty != editors.isEmpty else { return editors = next }
    announcing("editing") { editors = next }
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
