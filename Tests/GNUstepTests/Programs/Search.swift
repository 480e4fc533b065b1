/// Keys with any mixture of accessors and ivars, each with a value of its own, so that what is read
/// and what was written tell which one was found.
func writeSearch(_ generator: inout Generator) {
  let keys = generator.some(of: ["a", "bc", "URL", "x_y", "_z", "isIt", "getIt"], percent: 50)
  generator.line("class", "C0", "-")
  let hasSubclass = generator.chance(30)
  var ivars: [String] = []
  for key in keys { writeKey(key, "C0", &ivars, &generator) }
  if generator.chance(15) { generator.line("method", "C0", "noivars") }
  if hasSubclass {
    generator.line("class", "C1", "C0")
    for key in generator.some(of: keys) { writeKey(key, "C1", &ivars, &generator) }
  }
  generator.line("new", "o1", hasSubclass ? "C1" : "C0")
  for (index, ivar) in ivars.enumerated() { generator.line("poke", "o1", ivar, "i:\(index + 1)") }
  for _ in 0..<generator.number(4...12) {
    let key = spelled(generator.pick(keys + ["", "none"]), &generator)
    if generator.chance(60) {
      generator.line("get", "o1", key)
    } else {
      generator.line("set", "o1", key, "i:\(generator.number(100...120))")
    }
  }
  for ivar in ivars { generator.line("read", "o1", ivar) }
}

private func writeKey(
  _ key: String, _ cls: String, _ ivars: inout [String], _ generator: inout Generator
) {
  let upper = key.prefix(1).uppercased() + key.dropFirst()
  var names: Set<String> = []
  func isNew(_ name: String) -> Bool { !ivars.contains(name) && names.insert(name).inserted }
  func add(_ ivar: String, _ generator: inout Generator) {
    generator.line("ivar", cls, ivar, "i")
    ivars.append(ivar)
  }
  for ivar in generator.some(of: ["_\(key)", "_is\(upper)", key, "is\(upper)"]) where isNew(ivar) {
    add(ivar, &generator)
  }
  let getters = ["get\(upper)", key, "is\(upper)", "_\(key)"]
  for name in generator.some(of: getters, percent: 25) {
    let slot = "slot\(ivars.count)"
    add(slot, &generator)
    generator.line("method", cls, "getter", name, slot)
  }
  for name in generator.some(of: ["set\(upper):", "_set\(upper):"], percent: 30) {
    let slot = "slot\(ivars.count)"
    add(slot, &generator)
    generator.line("method", cls, "setter", name, slot)
  }
}

/// The key, now and then with its first letter in the other case.
private func spelled(_ key: String, _ generator: inout Generator) -> String {
  guard !key.isEmpty else { return "\"\"" }
  guard generator.chance(20) else { return key }
  let first = key.prefix(1)
  let other = first == first.lowercased() ? first.uppercased() : first.lowercased()
  return other + key.dropFirst()
}
