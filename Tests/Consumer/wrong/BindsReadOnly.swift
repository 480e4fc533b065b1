// Bindings that would set what cannot be set.
import IsaKVO
import IsaKVOBindings

final class Person: KVObject {
  @Dynamic var name = ""
  @Dynamic var nickname: String?
  @Dynamic var age = 30
  @Dynamic var friend: Person?
  var title: String { name }
  var number: Int { age }
  let code: String? = nil
}

final class Field: KVObject {
  @Dynamic var text = ""
  var shown: String { text }
}

func bind(_ field: Field, _ person: Person) throws {
  try field.bind(\.text, to: person, \.name)
  try field.bind(\.text, to: person, \.age, .text)
  try field.bind(\.text, to: person, \.nickname, ifNil: "")
  try field.bind(\.text, to: person, \.friend, \.name, ifNil: "")
  // error below: 'bind(_:to:_:validates:)' is unavailable: bind sets both properties, and one of these cannot be set; write: follow(_:of:_:)
  try field.bind(\.text, to: person, \.title)
  // error below: 'bind(_:to:_:validates:)' is unavailable: bind sets both properties, and one of these cannot be set; write: follow(_:of:_:)
  try field.bind(\.shown, to: person, \.name)
  // error below: 'bind(_:to:_:_:validates:)' is unavailable: bind sets both properties, and one of these cannot be set; write: follow(_:of:_:_:)
  try field.bind(\.text, to: person, \.number, .text)
  // error below: 'bind(_:to:_:ifNil:validates:)' is unavailable: bind sets both properties, and one of these cannot be set; write: follow(_:of:_:ifNil:), or give bind the key paths on both sides of an optional
  try field.bind(\.text, to: person, \.code, ifNil: "")
  // error below: 'bind(_:to:_:ifNil:validates:)' is unavailable: bind sets both properties, and one of these cannot be set; write: follow(_:of:_:ifNil:), or give bind the key paths on both sides of an optional
  try field.bind(\.text, to: person, \.friend?.name, ifNil: "")
  // error below: 'bind(_:to:_:_:ifNil:validates:)' is unavailable: bind sets both properties, and one of these cannot be set; write: follow(_:of:_:ifNil:)
  try field.bind(\.text, to: person, \.friend, \.title, ifNil: "")
  // error below: 'follow(_:of:_:)' is unavailable: follow sets the property, and this one cannot be set
  try field.follow(\.shown, of: person, \.name)
}

@MainActor
func bindElsewhere(_ field: Field, _ person: Person) throws {
  // error below: 'bind(_:to:_:validates:delivery:)' is unavailable: bind sets both properties, and one of these cannot be set; write: follow(_:of:_:delivery:)
  try field.bind(\.text, to: person, \.title, delivery: .mainActor)
}
