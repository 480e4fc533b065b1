import CGtk

/// The objects of a description in GtkBuilder's XML, by their ids.
///
///     let window = try Interface(contentsOfFile: "Window.ui")
///     window["add"].on("clicked") { _ in items.add() }
@MainActor
public struct Interface {
  /// A description that GTK could not make objects of.
  public struct Failure: Error, CustomStringConvertible {
    /// GTK’s sentence, with the line.
    public let description: String
  }

  private let builder: GObjectRef

  /// Makes the objects that a file describes.
  public init(contentsOfFile path: String) throws(Failure) {
    builder = GObjectRef(adopting: gtk_builder_new()!)
    var error: UnsafeMutablePointer<GError>?
    if builder.with({ gtk_builder_add_from_file($0, path, &error) }) != 0 { return }
    defer { g_error_free(error) }
    throw Failure(description: String(cString: error!.pointee.message))
  }

  /// The object with an id. It is a mistake to ask for one that the description does not have.
  public subscript(id: String) -> GObjectRef {
    guard let object = builder.with({ gtk_builder_get_object($0, id) }) else {
      fatalError("the interface has no object “\(id)”")
    }
    return GObjectRef(object)
  }
}

extension GObjectRef {
  /// Has a `GtkDropDown` offer these texts.
  public func setStrings(_ texts: [String]) {
    let list = GObjectRef(adopting: gtk_string_list_new(nil))
    for text in texts { list.with { gtk_string_list_append($0, text) } }
    with { view in list.with { gtk_drop_down_set_model(view, $0) } }
  }
}
