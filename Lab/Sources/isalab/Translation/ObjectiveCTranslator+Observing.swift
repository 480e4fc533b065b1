// Observers, edits and questions in Objective-C.

extension ObjectiveCTranslator {
  func observe(_ statement: ObserveStatement, _ place: TranslationPlace) -> Translation {
    let options = ObjectiveCTranslator.options(statement)
    let context = context(statement.context)
    let path = statement.target.path.at
    let object = name(statement.target.object)
    if let observer = statement.observer {
      return .line(register(statement, name(observer), object, path, options, context))
    }
    let function = scope.observerName(statement).replacing("#", with: "_")
    let observer = ObjectiveCTranslator.name(function)
    return Translation(
      lines: [
        "Observer *\(observer) = [Observer new];",
        register(statement, observer, object, path, options, context),
      ], note: Text("note.no-functions"))
  }

  private func register(
    _ statement: ObserveStatement, _ observer: String, _ object: String, _ path: String,
    _ options: String, _ context: String
  ) -> String {
    if scope.isShared(statement.target.object) {
      return "[\(object) addSharedObserver:\(observer) forKey:\(path) options:\(options) "
        + "context:\(context)];"
    }
    let places =
      statement.indexes.map { " toObjectsAtIndexes:\(ObjectiveCTranslator.indexes($0))" } ?? ""
    return "[\(object) addObserver:\(observer)\(places) forKeyPath:\(path) options:\(options) "
      + "context:\(context)];"
  }

  private static func options(_ statement: ObserveStatement) -> String {
    let names: [(ObserveStatement.Option, String)] = [
      (.old, "Old"), (.new, "New"), (.initial, "Initial"), (.prior, "Prior"),
    ]
    let wanted = names.filter { statement.options.contains($0.0) }
      .map { "NSKeyValueObservingOption\($0.1)" }
    return wanted.isEmpty ? "0" : wanted.joined(separator: " | ")
  }

  private func context(_ number: UInt) -> String { number == 0 ? "NULL" : "(void *)\(number)" }

  static func indexes(_ list: IndexList) -> String {
    let sorted = list.indexes.sorted()
    if sorted.count == 1 { return "[NSIndexSet indexSetWithIndex:\(sorted[0])]" }
    if let first = sorted.first, let last = sorted.last, Int(last - first) == sorted.count - 1 {
      let range = "NSMakeRange(\(first), \(sorted.count))"
      return "[NSIndexSet indexSetWithIndexesInRange:\(range)]"
    }
    let adds = sorted.map { "[set addIndex:\($0)];" }.joined(separator: " ")
    return "({ NSMutableIndexSet *set = [NSMutableIndexSet new]; \(adds) set; })"
  }

  func removeToken(_ name: Name) -> Translation {
    guard let target = scope.symbols.tokens[name.text] else { return Translation() }
    return .line(
      "[\(self.name(target.object)) removeObserver:\(self.name(name)) "
        + "forKeyPath:\(target.path.at)];")
  }

  func remove(_ statement: RemoveStatement, _ place: TranslationPlace) -> Translation {
    let object = name(statement.target.object)
    let path = statement.target.path.at
    if scope.isShared(statement.target.object) {
      return .none(Text("note.shared-kept"))
    }
    let places =
      statement.indexes.map { " fromObjectsAtIndexes:\(ObjectiveCTranslator.indexes($0))" } ?? ""
    let context = statement.context.map { " context:\(self.context($0))" } ?? ""
    return .line(
      "[\(object) removeObserver:\(name(statement.observer))\(places) forKeyPath:\(path)"
        + "\(context)];")
  }

  func shared(_ name: Name, for cls: Name) -> Translation {
    let type = "NSKeyValueSharedObservers"
    return .line(
      "\(type) *\(self.name(name)) = [[\(type) alloc] "
        + "initWithObservableClass:\(ObjectiveCTranslator.name(cls.text)).class];")
  }

  func share(_ name: Name?, with object: Name) -> Translation {
    let snapshot = name.map { "[\(self.name($0)) snapshot]" } ?? "nil"
    return .line("[\(self.name(object)) setSharedObservers:\(snapshot)];")
  }

  // MARK: Edits

  func edit(_ edit: Edit, _ place: TranslationPlace) -> Translation {
    let object = name(edit.target.object)
    if edit.target.keys.isEmpty { return .line("[\(object) \(message(edit))];") }
    switch edit.way {
    case .accessor: return .line("[\(receiver(edit.target)) \(accessor(edit))];")
    case .ivar:
      let ivar = scope.property(edit.target)?.declaration.ivarName ?? edit.target.path
      return .line("[\(receiver(edit.target))->\(ivar) \(message(edit))];")
    case .proxy:
      let word =
        switch scope.collectionType(of: edit).kind {
        case .set: "Set"
        case .orderedSet: "OrderedSet"
        default: "Array"
        }
      let label = edit.target.keys.count == 1 && !edit.target.isQuoted ? "ForKey" : "ForKeyPath"
      let proxy = "[\(object) mutable\(word)Value\(label):\(edit.target.path.at)]"
      return .line("[\(proxy) \(message(edit))];")
    }
  }

  private func objects(_ edit: Edit) -> String {
    guard let objects = edit.objects else { return "nil" }
    if case .set = objects.kind { return values.object(objects, as: "set") }
    let takesSet = [.union, .minus, .intersect].contains(edit.kind)
    let list = values.object(objects)
    return takesSet ? "[NSSet setWithArray:\(list)]" : list
  }

  private func message(_ edit: Edit) -> String {
    let objects = objects(edit)
    let index = edit.indexes.map { "\($0.indexes[0])" } ?? "0"
    let places = edit.indexes.map(ObjectiveCTranslator.indexes) ?? "nil"
    let isMany = edit.indexes?.isList == true
    let ordered = scope.collectionType(of: edit).isOrdered
    switch edit.kind {
    case .insert:
      return isMany
        ? "insertObjects:\(objects) atIndexes:\(places)"
        : "insertObject:\(objects) atIndex:\(index)"
    case .remove:
      return isMany ? "removeObjectsAtIndexes:\(places)" : "removeObjectAtIndex:\(index)"
    case .replace:
      return isMany
        ? "replaceObjectsAtIndexes:\(places) withObjects:\(objects)"
        : "replaceObjectAtIndex:\(index) withObject:\(objects)"
    case .add: return "addObject:\(objects)"
    case .removeObject: return "removeObject:\(objects)"
    case .union: return "unionSet:\(objects)"
    case .minus: return "minusSet:\(objects)"
    case .intersect: return "intersectSet:\(objects)"
    case .fill: return ordered ? "setArray:\(objects)" : "setSet:\(objects)"
    }
  }

  private func accessor(_ edit: Edit) -> String {
    guard let accessor = edit.accessor else { return message(edit) }
    let key = edit.target.keys.last!.text.capitalisedFirst
    let parts = accessor.pattern.split(separator: ":").map {
      $0.split(separator: "<Key>", omittingEmptySubsequences: false).joined(separator: key)
    }
    let objects = objects(edit)
    let index = edit.indexes.map { "\($0.indexes[0])" } ?? "0"
    let places = edit.indexes.map(ObjectiveCTranslator.indexes) ?? "nil"
    let arguments: [String] =
      switch accessor {
      case .insert: [objects, index]
      case .remove: [index]
      case .replace: [index, objects]
      case .insertMany: [objects, places]
      case .removeMany: [places]
      case .replaceMany: [places, objects]
      default: [objects]
      }
    return zip(parts, arguments).map { "\($0):\($1)" }.joined(separator: " ")
  }

  func announce(_ edit: Edit, isWill: Bool, _ place: TranslationPlace) -> Translation {
    let verb = isWill ? "will" : "did"
    let (object, key) = (name(edit.target.object), edit.target.path.at)
    let kinds: [Edit.Kind: String] = [
      .insert: "Insertion", .remove: "Removal", .replace: "Replacement",
    ]
    if let kind = kinds[edit.kind] {
      let places = edit.indexes.map(ObjectiveCTranslator.indexes) ?? "nil"
      return .line(
        "[\(object) \(verb)Change:NSKeyValueChange\(kind) valuesAtIndexes:\(places) forKey:\(key)];"
      )
    }
    let mutations: [Edit.Kind: String] = [
      .minus: "Minus", .intersect: "Intersect", .fill: "Set",
    ]
    let mutation = "NSKeyValue\(mutations[edit.kind] ?? "Union")SetMutation"
    return .line(
      "[\(object) \(verb)ChangeValueForKey:\(key) withSetMutation:\(mutation) "
        + "usingObjects:\(objects(edit))];")
  }

  // MARK: Questions

  func query(_ query: Query, _ place: TranslationPlace) -> Translation {
    switch query {
    case .property(let reference), .keyed(let reference):
      return log("[\(name(reference.object)) valueForKeyPath:\(reference.path.at)]")
    case .isa(let name): return log("object_getClass(\(subject(name)))")
    case .claimedClass(let name): return log("[\(subject(name)) class]")
    case .superclass(let name): return log("class_getSuperclass(\(cls(name)))")
    case .methods(let name): return .line("class_copyMethodList(\(cls(name)), NULL);")
    case .implementation(let name, let selector):
      let message = "@selector(\(selector.text))"
      return .line("class_getMethodImplementation(\(cls(name)), \(message));")
    case .retainCount(let name):
      let reference = "(__bridge CFTypeRef)\(self.name(name))"
      return .line("CFGetRetainCount(\(reference));", note: Text("note.retain-count"))
    case .alive: return .none(Text("note.weak-is-nil"))
    default: return observing(query)
    }
  }

  private func observing(_ query: Query) -> Translation {
    switch query {
    case .registrations(let name): return .line("[\(self.name(name)) observationInfo];")
    case .affecting(let reference):
      let cls = "[\(name(reference.object)) class]"
      return log("[\(cls) keyPathsForValuesAffectingValueForKey:\(reference.path.at)]")
    case .bulk(let name, let keys):
      let list = keys.map(\.text.at).joined(separator: ", ")
      return log("[\(self.name(name)) dictionaryWithValuesForKeys:@[\(list)]]")
    case .validation(let reference, let literal):
      let call =
        "[\(name(reference.object)) validateValue:&value forKeyPath:\(reference.path.at) "
        + "error:NULL]"
      return .line("({ id value = \(values.object(literal)); \(call); });")
    default: return .none(Text("note.not-told"))
    }
  }

  private func log(_ expression: String) -> Translation {
    .line("NSLog(@\"%@\", \(expression));")
  }

  private func subject(_ name: Name) -> String {
    scope.className(of: name) == nil ? "NSClassFromString(\(name.text.at))" : self.name(name)
  }

  private func cls(_ name: Name) -> String {
    scope.className(of: name) == nil
      ? "NSClassFromString(\(name.text.at))" : "object_getClass(\(self.name(name)))"
  }
}
