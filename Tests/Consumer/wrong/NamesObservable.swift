// A KVObject is Observable already.
import IsaKVO
import Observation

// error below: redundant conformance of 'Person' to protocol 'Observable'
final class Person: KVObject, Observable {
  @Dynamic var age = 30
}
