// The rows of a box: an object's ivars, a class's method slots, the notifications of an observer.

extension Graph {
  struct Row: Hashable, Sendable {
    /// The same at each moment of a run.
    var id: String
    var text: String
    /// At the right, of a method slot: the class whose code it is, if that is another one, or the kind
    /// of the code that the runtime made.
    var detail = ""

    var columns: Int { text.columns + (detail.isEmpty ? 0 : detail.columns + 2) }
  }

  /// More rows than these are folded into one.
  static let mostRows = 8
  private static let longestRow = 34

  static func id(ofIvar name: String, of symbol: String) -> String { "\(symbol) \(name)" }
  static func id(ofSlot selector: String, in cls: String) -> String {
    "\(id(ofClass: cls)) \(selector)"
  }

  static func rows(
    of object: ObjectState, _ told: Hearings?, _ language: Language
  ) -> [Row] {
    let contents = object.contents.map { [Row(id: object.symbol + " []", text: "\($0)")] } ?? []
    let ivars = object.ivars.map {
      Row(id: id(ofIvar: $0.name, of: object.symbol), text: "\($0.name) = \($0.value)")
    }
    return folded(contents + ivars, object.symbol, language)
      + rows(of: told, object.symbol, language)
  }

  /// The last notifications, the number of all above them.
  static func rows(of told: Hearings?, _ id: String, _ language: Language) -> [Row] {
    guard let told else { return [] }
    let head = Row(
      id: id + " told", text: language.say("graph.told", ["count": told.count]))
    return [head]
      + told.last.enumerated().map {
        Row(id: "\(id) told \(told.count - told.last.count + $0 + 1)", text: short(text(of: $1)))
      }
  }

  private static func text(of delivery: Delivery) -> String {
    let values = [delivery.old, delivery.new].compactMap { $0.map { "\($0.value)" } }
    return ([delivery.key] + (values.isEmpty ? [] : [values.joined(separator: " → ")]))
      .joined(separator: " ")
  }

  /// A class's own slots; of one that the runtime made those of its original too, which it shares.
  static func rows(of cls: ClassState, in state: WorldState, _ language: Language) -> [Row] {
    if cls.isBuiltIn, !cls.isNotifying { return [] }
    let lineage = cls.isNotifying ? [cls] + state.lineage(of: cls.original).prefix(1) : [cls]
    var known: Set<String> = []
    let slots = lineage.flatMap(\.methods).filter { known.insert($0.selector).inserted }.map {
      Row(
        id: id(ofSlot: $0.selector, in: cls.name), text: $0.selector,
        detail: $0.kind != .method ? "\($0.kind)" : $0.owner == cls.name ? "" : $0.owner)
    }
    return folded(slots, id(ofClass: cls.name), language)
  }

  private static func folded(_ rows: [Row], _ id: String, _ language: Language) -> [Row] {
    let shown = rows.count > mostRows ? rows.prefix(mostRows - 1) : rows[...]
    let rest = rows.count - shown.count
    return shown.map(shortened)
      + (rest == 0
        ? [] : [Row(id: id + " …", text: language.say("graph.more", ["count": rest]))])
  }

  private static func shortened(_ row: Row) -> Row {
    var row = row
    row.text = short(row.text, longestRow - min(row.detail.columns, 14))
    row.detail = short(row.detail, 22)
    return row
  }

  private static func short(_ text: String, _ longest: Int = longestRow) -> String {
    text.columns > longest ? String(text.shown.prefix(longest - 1)) + "…" : text.shown
  }
}
