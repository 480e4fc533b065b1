// The library as a file sees it that does not import the module with Apple's names.
import IsaKVO

func neutrallyRemove(_ observer: KVObject, from object: KVObject) throws(KeyValueError) {
  try object.removeObserver(observer, forKeyPath: "age")
}

func neutrallyRead(_ key: String, of object: KVObject) throws(KeyValueError) -> Any? {
  try object.value(forKey: key)
}

func neutrallyRead(path: String, of object: KVObject) throws(KeyValueError) -> Any? {
  try object.value(forKeyPath: path)
}

func neutrallyRegister(_ observer: KVObject, on object: KVObject, _ key: String) throws {
  try object.addObserver(observer, forKeyPath: key, options: [.old, .new])
}
