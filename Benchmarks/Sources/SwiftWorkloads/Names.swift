/// Two names that are set in turn, neither of them short.
let names = ["a name that is longer than fifteen bytes", "another one, as long as that!"]

/// The sums of the lengths that an observer has heard of `count` sets, over the first name.
func lengths(of count: Int) -> (old: Int, new: Int) {
  let (even, odd) = (names[0].utf8.count, names[1].utf8.count)
  let (more, less) = ((count + 1) / 2, count / 2)
  return (old: more * even + less * odd, new: less * even + more * odd)
}
