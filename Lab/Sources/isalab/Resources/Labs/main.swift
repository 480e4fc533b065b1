// Plays the scene whose lines stand on standard input.

import Foundation
import IsaRuntime

// Whoever started it may have been killed.
alarm(60)
let channel = Channel()
let transcript = Transcript(channel)
let stage = Stage()
let runtimeLog = must { try RuntimeEventLog(handler: stage.log) }
for line in channel.lines {
  channel.write("> " + line)
  stage.perform(line)
}
if RuntimeClass.all.contains(where: \.isNotifying) {
  stop("the library's own observing was used, which is what you are building")
}
channel.write("end")
end(0)
