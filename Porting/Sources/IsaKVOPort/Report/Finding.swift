/// A line of the report: something that no edit settles, or that a reader should know.
package struct Finding: Sendable, Codable, Hashable {
  package enum Kind: String, Sendable, Codable {
    /// The person who ports writes something.
    case todo
    /// Nothing is to be written; the behaviour is worth a look.
    case note
    /// The file was left alone: its syntax is wrong, or it cannot be read or written.
    case error
  }

  package let file: String
  package let line: Int
  package let column: Int
  package let kind: Kind
  package let rule: Rule
  /// The thing that was found.
  package let what: String
  /// The reason why it does not work, or works, as it stands.
  package let why: String
  /// The code or the act that settles it.
  package let write: String

  /// `FILE:LINE:COLUMN: what, why, what to write`.
  package var text: String {
    let sign = kind == .todo ? "" : "\(kind.rawValue): "
    let parts = [what, why, write].filter { !$0.isEmpty }
    return "\(file):\(line):\(column): \(sign)\(parts.joined(separator: "; "))"
  }
}

/// The rule that an edit or a finding comes from. Its raw value stands in JSON and in the summary.
package enum Rule: String, Sendable, Codable, CaseIterable {
  // Edits, of which some leave findings.
  case baseClass = "base-class"
  case dynamicProperty = "dynamic-property"
  case lazyProperty = "lazy-property"
  case weakProperty = "weak-property"
  case computedProperty = "computed-property"
  case dependentKeys = "dependent-keys"
  case manualNotification = "manual-notification"
  case declaredKeys = "declared-keys"
  case keyPathLiteral = "key-path-literal"
  case attribute
  case importedModule = "import"
  case responds
  case overriddenSignature = "overridden-signature"
  // Findings alone.
  case observerMethod = "observer-method"
  case propertyObserver = "property-observer"
  case selector
  case objectType = "object-type"
  case anyObject = "any-object"
  case collectionCoding = "collection-coding"
  case predicate
  case sortDescriptor = "sort-descriptor"
  case foundationClass = "foundation-class"
  case foundationObservable = "foundation-observable"
  case publisher
  case bindings
  case keyPathName = "key-path-name"
  case sharedObservers = "shared-observers"
  case orderedSet = "ordered-set"
  case validation
  case collectionAccessor = "collection-accessor"
  case equality
  case codable
  case format
  case archiving
  case mainActor = "main-actor"
  case objectiveCRuntime = "objective-c-runtime"
  case framework
  case package
  case syntax
  case file
}
