// Reads a scene's lines from standard input and plays them.

import Foundation
import IsaRuntime

/// No core dump, no more than 4 MB of output, and a minute: whoever started it may have been killed.
func limitTheProcess() {
  var none = rlimit(rlim_cur: 0, rlim_max: 0)
  var some = rlimit(rlim_cur: 1 << 22, rlim_max: 1 << 22)
  var minute = rlimit(rlim_cur: 60, rlim_max: 60)
  #if canImport(Glibc)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &some)
    setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &minute)
  #else
    setrlimit(RLIMIT_CORE, &none)
    setrlimit(RLIMIT_FSIZE, &some)
    setrlimit(RLIMIT_CPU, &minute)
  #endif
  alarm(60)
}

limitTheProcess()
setvbuf(stdout, nil, _IOLBF, 0)
let stage = Stage()
while let line = readLine() {
  print("> " + line)
  stage.perform(line)
}
if RuntimeClass.all.contains(where: \.isNotifying) {
  stop("the library's own observing was used, which is what you are building")
}
print("end")
end(0)
