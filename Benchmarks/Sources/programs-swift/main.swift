// The driver of what a program pays once: to be built, in size, to start, and for what it observes
// first. The first argument is the folder that Programs/build.sh has built the programs into.
import Foundation
import Paired

guard CommandLine.argc > 1 else {
  FileHandle.standardError.write(Data("usage: programs-swift FOLDER …\n".utf8))
  exit(2)
}
drive(programWorkloads(in: CommandLine.arguments[1]), behind: 1)
