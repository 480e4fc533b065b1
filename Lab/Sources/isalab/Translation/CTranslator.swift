/// Puts a program into C with this library.
///
/// `must`, `refused` and the like stand in the program's frame, `telling.c`.
struct CTranslator: Translator {
  let scope: TranslationScope
  var values: CValues { CValues(scope: scope) }

  /// A name of the scenario as C may have it.
  static func name(_ text: String) -> String {
    text.apart { reserved.contains($0) || isMacro($0) || isOfTheLibrary($0) }
  }

  /// Whether a header may define it: in capital letters.
  private static func isMacro(_ text: String) -> Bool {
    text.utf8.count > 1
      && text.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_") }
  }

  private static func isOfTheLibrary(_ text: String) -> Bool {
    ["isa_", "kvc_", "kvo_", "pthread_"].contains(where: text.hasPrefix)
  }

  private static let reserved: Set<String> = frame.subtracting([Symbols.observerClass]).union(
    """
    asm auto bool break case char const continue default do double else enum extern false float for
    goto if inline int linux long main register restrict return short signed sizeof static stderr
    stdin stdout struct switch true typedef typeof union unix unsigned void volatile while
    abort abs alloca asctime atexit atof atoi atol atoll bcmp bcopy bsearch bzero calloc clearenv
    clearerr clock clone ctermid ctime difftime div dprintf dysize ecvt exit exp fclose fcvt fdopen
    feof ferror fflush ffs fgetc fgetpos fgets fileno fmemopen fopen fprintf fputc fputs fread free
    freopen fscanf fseek fseeko fsetpos ftell ftello fwrite gcvt getc getchar getdelim getenv
    getline getloadavg getsubopt getw gmtime imaxabs imaxdiv index initstate labs ldiv llabs lldiv
    localtime log malloc mblen mbstowcs mbtowc memccpy memchr memcmp memcpy memmove memset mkdtemp
    mkstemp mktemp mktime nanosleep pclose perror popen pow printf pselect putc putchar putenv puts
    putw qsort rand random read realloc reallocarray realpath remove rename renameat rewind rindex
    rpmatch scanf select setbuf setbuffer setenv setlinebuf setstate setvbuf signal snprintf sprintf
    sqrt srand srandom sscanf stpcpy stpncpy strcasecmp strcat strchr strcmp strcoll strcpy strcspn
    strdup strerror strftime strlen strncat strncmp strncpy strndup strnlen strpbrk strrchr strsep
    strsignal strspn strstr strtod strtof strtok strtol strtold strtoll strtoul strtoull strxfrm
    system tempnam time timegm timelocal tmpfile tmpnam tzset ungetc unsetenv valloc vprintf wcstombs
    wctomb write
    """.split { $0.isWhitespace }.map(String.init))

  /// The names that the program's frame defines.
  private static let frame: Set<String> = {
    let heads = ["static ", "} ", "MAKER(", "DICTIONARY_MAKER("]
    let lines = PackageResources.telling_c.split(separator: "\n")
    return Set(
      ["labels"]
        + lines.compactMap { line in
          guard let head = heads.first(where: line.hasPrefix) else { return nil }
          let rest = head.hasSuffix("(") ? line.dropFirst(head.count) : line
          let words = rest.prefix { !"([;=,)".contains($0) }.split { " *".contains($0) }
          return words.last.map(String.init)
        })
  }()

  private func name(_ name: Name) -> String { CTranslator.name(name.text) }

  /// A call whose status is looked at.
  func checked(_ call: String, _ place: TranslationPlace) -> String {
    "\(place.isRefused ? "refused" : "must")(\(call));"
  }

  func selector(_ name: String) -> String { "isa_sel_register(\(name.quoted))" }

  /// The object that all but the last key lead to.
  private func parent(_ reference: PropertyReference) -> String {
    reference.keys.count > 1
      ? "at(\(name(reference.object)), \(reference.parent.path.quoted))" : name(reference.object)
  }

  /// A statement for the object at the end but one of the path, if there is one.
  private func onParent(_ target: PropertyReference, _ line: String) -> Translation {
    target.keys.count > 1 ? .line("if (\(parent(target)) != NULL) \(line)") : .line(line)
  }

  // MARK: Objects

  func object(_ name: Name, of cls: Name) -> Translation {
    .line("must(isa_object_allocate(\(CTranslator.name(cls.text)), &\(self.name(name))));")
  }

  func collection(_ name: Name, _ type: Name?, _ literal: Literal) -> Translation {
    let made = values.object(literal, as: scope.className(of: name) ?? "object")
    return .line("\(self.name(name)) = isa_object_retain(\(made));")
  }

  func release(_ name: Name) -> Translation { .line("isa_object_release(\(self.name(name)));") }

  func swapIsa(_ name: Name, to cls: Name, _ place: TranslationPlace) -> Translation {
    let call = "isa_object_set_class(\(self.name(name)), \(CTranslator.name(cls.text)), NULL)"
    return .line(checked(call, place))
  }

  func wrap(_ wrapping: Wrapping) -> Translation {
    let policy =
      switch wrapping {
      case .automatic: "KVO_WRAP_AUTOMATIC"
      case .libffi: "KVO_WRAP_LIBFFI"
      case .apple: "KVO_WRAP_AS_APPLE"
      }
    return .line("kvo_set_wrapping(\(policy));")
  }

  // MARK: Values

  func set(
    _ target: PropertyReference, _ value: Literal, _ place: TranslationPlace
  ) -> Translation {
    let property = scope.property(target)
    let setter =
      property?.declaration.setter ?? "set\(target.keys.last!.text.capitalisedFirst):"
    let value = values.value(value, scope.type(target))
    let call = "ISA_SET(\(parent(target)), \(selector(setter)), \(value))"
    return onParent(target, checked(call, place))
  }

  func poke(
    _ target: PropertyReference, _ value: Literal, _ place: TranslationPlace
  ) -> Translation {
    let type = scope.type(target)
    let ivar = scope.property(target)?.declaration.ivarName ?? target.keys.last!.text
    if type.isObject {
      let object = values.object(value, as: type.name)
      return onParent(target, "store(\(parent(target)), \(ivar.quoted), \(object));")
    }
    let place = "*(\(CTypes.name(of: type)) *)ivar(\(parent(target)), \(ivar.quoted))"
    return onParent(target, "\(place) = \(values.value(value, type));")
  }

  func keyedSet(
    _ target: PropertyReference, _ value: Literal, _ place: TranslationPlace
  ) -> Translation {
    let isKey = target.keys.count == 1 && !target.isQuoted
    let function = isKey ? "kvc_set_value" : "kvc_set_value_for_path"
    let object = values.keyed(value, scope.property(target)?.type)
    let call = "\(function)(\(name(target.object)), \(target.path.quoted), \(object))"
    return .line(checked(call, place))
  }

  func bulkSet(_ name: Name, _ values: Literal, _ place: TranslationPlace) -> Translation {
    let dictionary = self.values.object(values, as: "dictionary")
    return .line(checked("kvc_set_values(\(self.name(name)), \(dictionary))", place))
  }

  func announce(
    _ target: PropertyReference, isWill: Bool, _ place: TranslationPlace
  ) -> Translation {
    let function = isWill ? "kvo_will_change" : "kvo_did_change"
    let call = "\(function)(\(parent(target)), \(target.keys.last!.text.quoted))"
    return onParent(target, checked(call, place))
  }

  // MARK: Other statements inside

  func reaction(
    of observer: Name, isStanding: Bool, _ inner: Translation, _ place: TranslationPlace
  ) -> Translation {
    let function = "reaction_\(place.step)"
    let call = "\(isStanding ? "whenever" : "when")(\(observer.text.quoted), \(function));"
    return Translation(
      declarations: inner.declarations + body(function, inner), lines: [call], note: inner.note)
  }

  func repetition(_ count: Int, _ inner: Translation) -> Translation {
    let head = "for (int i = 0; i < \(count); i++)"
    var repeated = inner
    repeated.lines = ["\(head) {"] + inner.lines.map { "    " + $0 } + ["}"]
    if inner.lines.count == 1, head.count + inner.lines[0].count < 90 {
      repeated.lines = ["\(head) \(inner.lines[0])"]
    }
    return repeated
  }

  func onThread(_ inner: Translation, _ place: TranslationPlace) -> Translation {
    let function = "elsewhere_\(place.step)"
    return Translation(
      declarations: inner.declarations + body(function, inner),
      lines: ["on_thread(\(function));"], note: inner.note)
  }

  private func body(_ function: String, _ inner: Translation) -> [String] {
    ["static void \(function)(void)", "{"] + inner.lines.map { "    " + $0 } + ["}"]
  }

  // MARK: Observers

  func observe(_ statement: ObserveStatement, _ place: TranslationPlace) -> Translation {
    let path = statement.target.path.quoted
    let object = name(statement.target.object)
    let rest = "\(CTranslator.options(statement)), \(context(statement.context))"
    if let observer = statement.observer {
      return .line(checked(register(statement, object, name(observer), path, rest), place))
    }
    let function = "&(kvo_function){hear, \(scope.observerName(statement).quoted), NULL}"
    if scope.isShared(statement.target.object) {
      return .line(
        checked(
          "kvo_shared_observers_add_function(\(object), \(function), \(path), \(rest))", place))
    }
    let options = CTranslator.options(statement)
    let token = statement.token.map { "&" + name($0) } ?? "new_token()"
    let call =
      "kvo_observe(\(object), \(path), \(options), \(function), "
      + "\(context(statement.context)), \(token))"
    return .line(checked(call, place))
  }

  private func register(
    _ statement: ObserveStatement, _ object: String, _ observer: String, _ path: String,
    _ rest: String
  ) -> String {
    if scope.isShared(statement.target.object) {
      return "kvo_shared_observers_add(\(object), \(observer), \(path), \(rest))"
    }
    guard let indexes = statement.indexes else {
      return "kvo_add_observer(\(object), \(observer), \(path), \(rest))"
    }
    let places = CTranslator.indexes(indexes)
    return "kvo_elements_add_observer(\(object), \(observer), \(places), \(path), \(rest))"
  }

  private static func options(_ statement: ObserveStatement) -> String {
    let names: [(ObserveStatement.Option, String)] = [
      (.old, "OLD"), (.new, "NEW"), (.initial, "INITIAL"), (.prior, "PRIOR"),
      (.retain, "RETAIN_OBSERVER"),
    ]
    let wanted = names.filter { statement.options.contains($0.0) }.map { "KVO_OPTION_\($0.1)" }
    return wanted.isEmpty ? "0" : wanted.joined(separator: " | ")
  }

  private func context(_ number: UInt) -> String { number == 0 ? "NULL" : "(void *)\(number)" }

  static func indexes(_ list: IndexList) -> String {
    let numbers = list.indexes.map { "\($0)" }
    return "indexes(\((["\(numbers.count)"] + numbers).joined(separator: ", ")))"
  }

  func removeToken(_ name: Name) -> Translation {
    .line("kvo_token_invalidate(\(self.name(name)));")
  }

  func remove(_ statement: RemoveStatement, _ place: TranslationPlace) -> Translation {
    let object = name(statement.target.object)
    let observer = name(statement.observer)
    let path = statement.target.path.quoted
    let tail = statement.context.map { ", " + context($0) } ?? ""
    let form = statement.context == nil ? "" : "_context"
    if scope.isShared(statement.target.object) {
      let context = context(statement.context ?? 0)
      return .line(
        checked("kvo_shared_observers_remove(\(object), \(observer), \(path), \(context))", place))
    }
    if let indexes = statement.indexes {
      let places = CTranslator.indexes(indexes)
      let head = "kvo_elements_remove_observer\(form)(\(object), \(observer), \(places), "
      return .line(checked("\(head)\(path)\(tail))", place))
    }
    let call = "kvo_remove_observer\(form)(\(object), \(observer), \(path)\(tail))"
    return .line(checked(call, place))
  }

  func shared(_ name: Name, for cls: Name) -> Translation {
    .line("must(kvo_shared_observers_make(\(CTranslator.name(cls.text)), &\(self.name(name))));")
  }

  func share(_ name: Name?, with object: Name) -> Translation {
    let shared = name.map { self.name($0) } ?? "NULL"
    return .line("must(kvo_set_shared_observers(\(self.name(object)), \(shared)));")
  }

  // MARK: Bindings

  private static let bindings = Text("note.no-bindings")

  func bind(
    _ target: PropertyReference, to source: PropertyReference, isTwoWay: Bool
  ) -> Translation {
    let function = isTwoWay ? "bind" : "follow"
    let ends = "\(name(target.object)), \(target.path.quoted)"
    let others = "\(name(source.object)), \(source.path.quoted)"
    return .line("\(function)(\(ends), \(others));", note: CTranslator.bindings)
  }

  func unbind(_ target: PropertyReference) -> Translation {
    .line("unbind(\(name(target.object)), \(target.path.quoted));")
  }
}
