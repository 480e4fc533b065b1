// What a file that does not import the module with Apple's names sees.
import IsaKVO

func neutrallyRemove(_ observer: KVObject, from object: KVObject) throws(KeyValueError) {
  try object.removeObserver(observer, forKeyPath: "age")
}

func neutrallyRead(_ key: String, of object: KVObject) throws(KeyValueError) -> Any? {
  try object.value(forKey: key)
}
