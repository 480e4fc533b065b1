// One access a function, which no caller inlines or sees through: what the workloads call, and whose
// instructions are counted.

@inline(never) package func getAge(_ person: Person) -> Int { person.age }
@inline(never) package func getAge(_ person: PlainPerson) -> Int { person.age }
@inline(never) package func setAge(_ person: Person, _ value: Int) { person.age = value }
@inline(never) package func setAge(_ person: PlainPerson, _ value: Int) { person.age = value }

@inline(never) package func addAge(_ person: Person, _ value: Int) { person.age += value }

@inline(never) package func add(_ value: Int, to counting: any Counting) {
  counting.count += value
}

@inline(never) package func getName(_ person: Person) -> String { person.name }
@inline(never) package func getName(_ person: PlainPerson) -> String { person.name }
@inline(never) package func setName(_ person: Person, _ value: String) { person.name = value }
@inline(never) package func setName(_ person: PlainPerson, _ value: String) { person.name = value }

@inline(never) package func getFriend(_ person: Person) -> Thing? { person.friend }
@inline(never) package func getFriend(_ person: PlainPerson) -> Thing? { person.friend }
@inline(never) package func setFriend(_ person: Person, _ value: Thing) { person.friend = value }
@inline(never) package func setFriend(_ person: PlainPerson, _ value: Thing) {
  person.friend = value
}

@inline(never) package func getValue(_ cell: Cell<Int>) -> Int { cell.value }
@inline(never) package func getValue(_ cell: PlainCell<Int>) -> Int { cell.value }
@inline(never) package func setValue(_ cell: Cell<Int>, _ value: Int) { cell.value = value }
@inline(never) package func setValue(_ cell: PlainCell<Int>, _ value: Int) { cell.value = value }

@inline(never) package func append(_ value: Int, to person: Person) { person.items.append(value) }
@inline(never) package func append(_ value: Int, to person: PlainPerson) {
  person.items.append(value)
}

@inline(never) package func setScore(_ person: Person, _ value: Int?) { person.score = value }
@inline(never) package func setPlace(_ person: Person, _ value: Place) { person.place = value }
@inline(never) package func setFirst(_ person: Person, _ value: Int) { person.first = value }
@inline(never) package func setLeaf(_ inner: Inner, _ value: Int) { inner.c = value }
@inline(never) package func getLeaf(_ inner: Inner) -> Int { inner.c }
@inline(never) package func replace(_ middle: Middle, _ value: Inner) { middle.b = value }

@inline(never) package func getItems(_ person: Person) -> [Int] { person.items }
@inline(never) package func getItems(_ person: PlainPerson) -> [Int] { person.items }
@inline(never) package func emptyItems(_ person: Person) {
  person.items.removeAll(keepingCapacity: true)
}
@inline(never) package func emptyItems(_ person: PlainPerson) {
  person.items.removeAll(keepingCapacity: true)
}

@inline(never) package func getA(_ outer: Outer) -> Middle { outer.a }
@inline(never) package func getB(_ middle: Middle) -> Inner { middle.b }

@inline(never) package func getInner(_ holder: Holder) -> Inner? { holder.inner }
@inline(never) package func setInner(_ holder: Holder, _ value: Inner) { holder.inner = value }
@inline(never) package func getItem(_ shelf: Shelf, _ index: Int) -> Inner { shelf.items[index] }
@inline(never) package func getSum(_ shelf: Shelf) -> Int { shelf.sum }

// By name. In a file that imports IsaKVOFoundation these would be the ones that pass Foundation's types.

@inline(never) package func getAgeByKey(_ person: Person) -> Int {
  (try? person.value(forKey: "age")) as? Int ?? 0
}
@inline(never) package func setAgeByKey(_ person: Person, _ value: Int) {
  try? person.setValue(value, forKey: "age")
}
@inline(never) package func getLeafByKeyPath(_ outer: Outer) -> Int {
  (try? outer.value(forKeyPath: "a.b.c")) as? Int ?? 0
}
