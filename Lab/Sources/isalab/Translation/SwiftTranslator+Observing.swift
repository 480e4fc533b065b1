// Observers in Swift: closures and tokens, objects and contexts, shared ones.

extension SwiftTranslator {
  func observe(_ statement: ObserveStatement, _ place: TranslationPlace) -> Translation {
    if scope.isShared(statement.target.object) { return observeShared(statement, place) }
    if let observer = statement.observer { return register(statement, observer) }
    var made: Translation
    if isRuntimeObject(statement.target.object) {
      made = observeRuntimeObject(statement)
    } else if !place.isRefused, let chain = types.chain(statement.target) {
      made = .line(observeTyped(statement, chain))
    } else {
      let path = statement.target.path.quoted
      made = .line("\(head(statement, attempt: true))(keyPath: \(path)\(tail(statement))")
    }
    made.lines[0] = held(made.lines[0], statement)
    if statement.context != 0 { made.note = Text("note.no-context") }
    return made
  }

  /// By a key path of Swift's; by name where the way leads through optionals, which no key path of
  /// Swift's can follow to the end.
  private func observeTyped(_ statement: ObserveStatement, _ chain: String) -> String {
    guard statement.target.keys.count > 1, let property = scope.property(statement.target) else {
      return "\(head(statement))(\\.\(chain)\(tail(statement))"
    }
    let type = types.type(of: property).name
    let value = type.hasSuffix("?") ? type : type + "?"
    let path = statement.target.path.quoted
    return "\(head(statement, attempt: true))(\(path), as: \(value).self\(tail(statement))"
  }

  private func observeRuntimeObject(_ statement: ObserveStatement) -> Translation {
    let observer = scope.observerName(statement).quoted
    let options = SwiftTranslator.options(statement)
    return .line(
      "try \(name(statement.target.object)).observe(\(statement.target.path.quoted), "
        + "options: \(options)) { hears(\(observer), $0) }")
  }

  /// `ada.observe`
  private func head(_ statement: ObserveStatement, attempt: Bool = false) -> String {
    (attempt ? "try " : "") + name(statement.target.object) + ".observe"
  }

  /// The options and the closure.
  private func tail(_ statement: ObserveStatement) -> String {
    let observer = scope.observerName(statement).quoted
    let context = statement.context == 0 ? "" : ", context: \(statement.context)"
    let options = SwiftTranslator.options(statement)
    return ", options: \(options)) { hears(\(observer), $0, $1\(context)) }"
  }

  /// A registration ends with its token, so somebody has to hold that.
  private func held(_ call: String, _ statement: ObserveStatement) -> String {
    guard let token = statement.token else { return "keep(\(call))" }
    let isEarly = scope.early.contains(token.text)
    return "\(isEarly ? "" : "let ")\(name(token)) = \(call)"
  }

  static func options(_ statement: ObserveStatement) -> String {
    let names: [(ObserveStatement.Option, String)] = [
      (.old, ".old"), (.new, ".new"), (.initial, ".initial"), (.prior, ".prior"),
      (.retain, ".retainObserver"),
    ]
    let wanted = names.filter { statement.options.contains($0.0) }.map(\.1)
    return wanted.count == 1 ? wanted[0] : "[\(wanted.joined(separator: ", "))]"
  }

  // MARK: Objects

  private func register(_ statement: ObserveStatement, _ observer: Name) -> Translation {
    let object = name(statement.target.object)
    let path = statement.target.path.quoted
    let options = SwiftTranslator.options(statement)
    if let indexes = statement.indexes {
      let places = SwiftTranslator.places(indexes)
      let context = runtimeContext(statement.context)
      return .line(
        "try \(object).addObserver(RuntimeObject(\(name(observer))), toObjectsAt: \(places), "
          + "forKeyPath: \(path), options: \(options)\(context))")
    }
    if isRuntimeObject(statement.target.object) {
      let context = runtimeContext(statement.context)
      return .line(
        "try \(object).addObserver(RuntimeObject(\(name(observer))), forKeyPath: \(path), "
          + "options: \(options)\(context))")
    }
    let context =
      statement.context == 0 && !isApple ? "" : ", context: \(pointer(statement.context))"
    return .line(
      "\(attempt)\(object).addObserver(\(name(observer)), forKeyPath: \(path), "
        + "options: \(options)\(context))")
  }

  private func runtimeContext(_ number: UInt) -> String {
    number == 0 ? "" : ", context: ObservationContext(address: \(number))"
  }

  private func pointer(_ number: UInt) -> String {
    number == 0 ? "nil" : "UnsafeMutableRawPointer(bitPattern: \(number))"
  }

  static func places(_ list: IndexList) -> String {
    "[\(list.indexes.map { "\($0)" }.joined(separator: ", "))]"
  }

  func removeToken(_ name: Name) -> Translation {
    .line("\(self.name(name))\(scope.early.contains(name.text) ? "?" : "").invalidate()")
  }

  func remove(_ statement: RemoveStatement, _ place: TranslationPlace) -> Translation {
    if scope.isShared(statement.target.object) {
      return .none(Text("note.shared-stay"))
    }
    let object = name(statement.target.object)
    let path = statement.target.path.quoted
    if statement.indexes != nil || isRuntimeObject(statement.target.object) {
      let places =
        statement.indexes.map { ", fromObjectsAt: \(SwiftTranslator.places($0))" } ?? ""
      let context = statement.context.map { ", context: ObservationContext(address: \($0))" } ?? ""
      return .line(
        "try \(object).removeObserver(RuntimeObject(\(name(statement.observer)))\(places), "
          + "forKeyPath: \(path)\(context))")
    }
    let context = statement.context.map { ", context: \(pointer($0))" } ?? ""
    return .line(
      "\(attempt)\(object).removeObserver(\(name(statement.observer)), forKeyPath: "
        + "\(path)\(context))")
  }

  // MARK: Shared observers

  func shared(_ name: Name, for cls: Name) -> Translation {
    .line("let \(self.name(name)) = KeyValueSharedObservers<\(SwiftTypes.typeName(cls.text))>()")
  }

  private func observeShared(
    _ statement: ObserveStatement, _ place: TranslationPlace
  ) -> Translation {
    guard !place.isRefused, let chain = types.chain(statement.target) else {
      return .none(Text("note.refused-later"))
    }
    var made = Translation.line("\(head(statement))(\\.\(chain)\(tail(statement, observing: nil))")
    if let observer = statement.observer {
      made.lines = ["\(head(statement))(\\.\(chain)\(tail(statement, observing: observer.text))"]
      made.note = Text("note.shared-closures")
    }
    return made
  }

  private func tail(_ statement: ObserveStatement, observing observer: String?) -> String {
    guard let observer else { return tail(statement) }
    let context = statement.context == 0 ? "" : ", context: \(statement.context)"
    let options = SwiftTranslator.options(statement)
    return ", options: \(options)) { hears(\(observer.quoted), $0, $1\(context)) }"
  }

  func share(_ name: Name?, with object: Name) -> Translation {
    .line("\(self.name(object)).setSharedObservers(\(name.map { self.name($0) } ?? "nil"))")
  }
}
