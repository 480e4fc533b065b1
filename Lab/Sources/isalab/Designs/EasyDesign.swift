import IsaRuntime

extension Designs {
  static let easy = DesignInfo(
    name: "easykvo", title: Text("design.easykvo"),
    source: Text("design.easykvo-source"), misuse: .exception
  ) { stage in ArticleEasyDesign(stage) }

  static let laterEasy = DesignInfo(
    name: "easykvo-later", title: Text("design.easykvo-later"),
    source: Text("design.easykvo-later-source")
  ) { stage in LaterEasyDesign(stage) }
}

/// One table for everybody, by class and key, whatever the object.
class EasyDesign: ObjectSetterDesign {
  var blocks: [String: [Block]] = [:]
  override var hasRemoval: Bool { false }

  override func add(
    _ block: Block, to object: RuntimeObject, _ method: RuntimeMethod
  ) throws(KeyValueError) {
    let cls = try swizzle(object, "Easy_", method)
    keep(block, "\(stage.names.name(of: cls)).\(block.key)")
    try watch(object, cls)
  }

  /// Puts the block into the table.
  func keep(_ block: Block, _ place: String) {}
  /// Prepares for the object's end.
  func watch(_ object: RuntimeObject, _ cls: RuntimeClass) throws(KeyValueError) {}

  override func set(_ call: ObjectSetterCall) {
    let (object, key) = (call.object, call.key)
    let old = SetterDesign.value(of: key, object)
    // isEqual: is a message to the old value, or to nothing, which answers no.
    if old == nil || RuntimeValue(old) != RuntimeValue(call.value) { call.callOriginal() }
    for block in blocks["\(stage.names.name(of: object.isa)).\(key)"] ?? [] {
      stage.tell(block.observer, of: object, key, old: old, new: call.value)
    }
  }
}

/// As the article has it: one block for a place in the table, and a dealloc that calls no other.
///
/// Owns: a reference to each observed object. It stands for the memory that nobody gives back where the
///       original dealloc is not called; the core gives back what no reference holds.
final class ArticleEasyDesign: EasyDesign {
  private var observed: [UInt: RuntimeObject] = [:]

  override func keep(_ block: Block, _ place: String) { blocks[place] = [block] }

  override func watch(_ object: RuntimeObject, _ cls: RuntimeClass) {
    observed[object.address] = RuntimeObject(unsafeAddress: object.address)
  }

  /// The scenario's reference is the last but the one that stands for the memory.
  override func willRelease(_ name: String) {
    guard let object = stage.world.objects[name], observed[object.address] != nil,
      object.retainCount == 2
    else { return }
    die(object)
  }

  private func die(_ object: RuntimeObject) {
    blocks = [:]
    do throws(KeyValueError) {
      try object.setIsa(object.class)
      let places: Places = [
        "object": stage.names.name(of: object), "class": stage.names.name(of: object.isa),
      ]
      stage.recorder.record(.note(Text("design.isa-back", places)))
      for ivar in object.isa.ivars { try object.setValue(.nilObject, forKey: ivar.name) }
    } catch {
      stage.raise(Refusal(error))
    }
  }

  override func end() { observed = [:] }
}

/// As a later version: several blocks for a place, and a dealloc that only empties the table.
final class LaterEasyDesign: EasyDesign {
  override func keep(_ block: Block, _ place: String) { blocks[place, default: []].append(block) }

  override func watch(_ object: RuntimeObject, _ cls: RuntimeClass) throws(KeyValueError) {
    if cls.methods.contains(where: { $0.selector == "dealloc" }) { return }
    let design = Unowned(self)
    try cls.addMethod("dealloc", "v@:") { _ -> Void in design.object.blocks = [:] }
  }
}
