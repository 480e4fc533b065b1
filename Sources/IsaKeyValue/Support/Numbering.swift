/// Numbers for values that are only compared, such as contexts: each is given out once.
private let counter = Locked<UInt>(0)

/// The next number, never 0.
package func nextNumber() -> UInt {
  counter.withLock { number in
    number += 1
    return number
  }
}
