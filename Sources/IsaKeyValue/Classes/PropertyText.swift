package import CIsa

/// A property's description in C's texts.
package struct PropertyText {
  var name: String
  var types: String
  var getter: String?
  var setter: String?
  var ivar: String?
  var ownership: isa_ownership
  var isReadOnly: Bool

  package init(
    name: String, types: String, getter: String?, setter: String?, ivar: String?,
    ownership: isa_ownership, isReadOnly: Bool
  ) {
    self.name = name
    self.types = types
    self.getter = getter
    self.setter = setter
    self.ivar = ivar
    self.ownership = ownership
    self.isReadOnly = isReadOnly
  }

  /// Declares the property on `cls` and gives it accessors.
  package func synthesize(on cls: isa_class) -> isa_status {
    withInfo { isa_class_synthesize(cls, $0) }
  }

  /// Declares the property on `cls`, whose accessors are there already.
  package func declare(on cls: isa_class) -> isa_status {
    withInfo { isa_class_add_property(cls, $0) }
  }

  private func withInfo(_ body: (UnsafePointer<isa_property_info>) -> isa_status) -> isa_status {
    withText(name) { name in
      withText(types) { types in
        withText(getter) { getter in
          withText(setter) { setter in
            withText(ivar) { ivar in
              var info = isa_property_info(
                name: name, types: types, getter: getter, setter: setter, ivar: ivar,
                ownership: ownership, readonly: isReadOnly)
              return body(&info)
            }
          }
        }
      }
    }
  }

  private func withText<Result>(
    _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
  ) -> Result {
    guard let text else { return body(nil) }
    return text.withCString { body($0) }
  }
}
