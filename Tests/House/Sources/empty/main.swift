// The smallest program: what others are more than.
if CommandLine.arguments.count == 1 { print("empty") }
