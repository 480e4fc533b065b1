import Collections

var words: OrderedSet = ["hello"]
words.append("hello")
print(words.elements.joined())
