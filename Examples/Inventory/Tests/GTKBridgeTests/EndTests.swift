import CGtk
import GTKBridge
import IsaKVO
import IsaKVOBindings
import Testing

private final class Model: KVObject {
  @Dynamic var volume = 40.0
  @Dynamic var text = "one"

  override class var keys: [KeyDeclaration] {
    [
      .key(
        "text", \Model.text,
        validate: { _, text in
          if text == "bad" { throw Refused() }
          if text.count > 5 { text = String(text.prefix(5)) }
        })
    ]
  }
}

private struct Refused: Error {}

@MainActor
@Suite struct EndTests {
  /// Objects that need no display: an adjustment clamps its value.
  private let adjustment = GObjectRef(gtk_adjustment_new(20, 0, 100, 1, 10, 0))
  private let buffer = GObjectRef(adopting: gtk_entry_buffer_new(nil, -1))

  @Test("a GObject's property has the value that is set, and tells of those that it gets")
  func both() {
    let end = GObjectEnd<Double>(adjustment, "value")
    var told: [Double] = []
    let token = end.observe(\.value) { end, _ in told.append(end.value) }
    #expect(end.value == 20)
    end.value = 30
    #expect(adjustment["value"] == 30.0)
    adjustment["value"] = 50.0
    #expect(end.value == 50 && told == [30, 50])
    token.invalidate()
  }

  @Test("a value that the GObject makes another of is told as the other")
  func clamped() {
    let end = GObjectEnd<Double>(adjustment, "value")
    end.value = 300
    #expect(end.value == 100 && adjustment["value"] == 100.0)
  }

  @Test("an integer property of any size is an Int")
  func integers() {
    let end = GObjectEnd<Int>(buffer, "max-length")
    end.value = 3
    #expect(end.value == 3)
    buffer["text"] = "abcdef"
    #expect(buffer["text"] == "abc")
  }

  @Test("a typed binding keeps model and GObject the same; a clamped value reaches the model")
  func bound() throws {
    let end = GObjectEnd<Double>(adjustment, "value"), model = Model()
    try end.bind(\.value, to: model, \.volume)
    #expect(adjustment["value"] == 40.0)
    model.volume = 60
    #expect(adjustment["value"] == 60.0)
    adjustment["value"] = 70.0
    #expect(model.volume == 70)
    model.volume = 1000
    #expect(model.volume == 100)
  }

  @Test("BND-108: a text is set only if it differs, so that the cursor stays where it is")
  func cursor() throws {
    let end = GObjectEnd<String>(buffer, "text"), model = Model()
    try end.bind(\.value, to: model, \.text)
    var sets = 0
    let token = buffer.connection("notify::text") { _ in sets += 1 }
    model.text = "one"
    end.value = "one"
    #expect(sets == 0)
    model.text = "two"
    #expect(sets > 0 && buffer["text"] == "two")
    // The letters that a user enters reach the model, and are not set in the GObject again.
    let before = sets
    let own = GObjectRef(adopting: gtk_entry_buffer_new("two", -1))
    var ownSets = 0
    let ownToken = own.connection("notify::text") { _ in ownSets += 1 }
    own["text"] = "twos"
    buffer["text"] = "twos"
    #expect(model.text == "twos" && sets - before == ownSets)
    withExtendedLifetime((token, ownToken)) {}
  }

  @Test("BND-124: an edit of a GObject bound by name is judged; what replaces it is shown")
  func edited() throws {
    let end = GObjectEnd<String>(buffer, "text"), model = Model()
    var errors: [String] = []
    let binding = try end.bind(.value, to: model, withKeyPath: "text", options: .edited)
    binding.onError = { error, _ in errors.append("\(error.code)") }
    #expect(buffer["text"] == "one")
    buffer["text"] = "two"
    #expect(model.text == "two")
    buffer["text"] = "bad"
    #expect(model.text == "two" && buffer["text"] == "bad" && errors == ["invalid"])
    buffer["text"] = "abcdefgh"
    #expect(model.text == "abcde" && buffer["text"] == "abcde" && errors.count == 1)
    model.text = "six"
    #expect(buffer["text"] == "abcde")
    binding.discardEditing()
    #expect(buffer["text"] == "six")
  }

  @Test("a handler is not called any more once its end is gone, and the GObject goes with the last")
  func ends() {
    weak var gone: GObjectEnd<Double>?
    do {
      let end = GObjectEnd<Double>(adjustment, "value")
      gone = end
    }
    #expect(gone == nil)
    adjustment["value"] = 5.0
    weak var reference: GObjectRef?
    do {
      let object = GObjectRef(gtk_adjustment_new(0, 0, 1, 1, 1, 0))
      reference = object
      _ = GObjectEnd<Double>(object, "value")
    }
    #expect(reference == nil)
  }
}
