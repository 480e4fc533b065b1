import Foundation
import IsaKVO
import IsaKVOFoundation

private nonisolated(unsafe) var historyContext = 0

/// Undoes what was set in a document, from nothing but the changes that observers are told.
final class History: KVObject {
  private let document: Document
  private var steps: [(keyPath: String, value: Any?)] = []
  private var isUndoing = false

  init(_ document: Document) {
    self.document = document
    super.init()
    for keyPath in Self.keyPaths {
      document.addObserver(self, forKeyPath: keyPath, options: .old, context: &historyContext)
    }
  }

  deinit {
    for keyPath in Self.keyPaths {
      document.removeObserver(self, forKeyPath: keyPath, context: &historyContext)
    }
  }

  private static var keyPaths: [String] {
    ["title", "settings.fontSize"]
  }

  var count: Int { steps.count }

  func undo() {
    guard let step = steps.popLast() else { return }
    isUndoing = true
    document.setValue(step.value, forKeyPath: step.keyPath)
    isUndoing = false
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    guard context == &historyContext else {
      return super.observeValue(
        forKeyPath: keyPath, of: object, change: change, context: context)
    }
    if isUndoing { return }
    let old = change?[.oldKey]
    steps.append((keyPath!, old is NSNull ? nil : old))
  }
}
