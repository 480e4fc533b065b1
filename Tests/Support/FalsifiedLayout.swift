// What the library assumes of the Swift runtime's layout, falsified: each kind of answer that it reads
// in the runtime's memory is then found to be unknown.
//
// Owns:  nothing.
// Locks: none; called before `main`, by CIsaTestSupport.
import Foundation
internal import IsaKVO

/// The kinds of answers, by the names that ISAKVO_FALSIFIED has.
private let falsifications: [(kind: String, change: @Sendable (inout SwiftLayout) -> Void)] = [
  ("natures", { $0.isVariable += 1 }), ("sizes", { $0.classSize += MemoryLayout<UInt>.size }),
  ("getters", { $0.methods += 4 }), ("generics", { $0.requirementSize += 4 }),
  ("kinds", { $0.existential += 1 }), ("arguments", { $0.argument += MemoryLayout<UInt>.size }),
  ("steps", { $0.stepsSize += MemoryLayout<UInt>.size }),
  ("protocols", { $0.existentialProtocol += MemoryLayout<UInt>.size }),
]

/// Falsifies kinds of answers whose names stand between commas; `tracking` is the thread's word.
@_cdecl("isakvo_test_falsify")
package func falsify(_ kinds: UnsafePointer<CChar>) {
  for kind in String(cString: kinds).split(separator: ",") {
    if kind == "tracking" {
      setenv("ISAKVO_TRACKING", "slow", 1)
    } else if let known = falsifications.first(where: { $0.kind == kind }) {
      known.change(&SwiftLayout.assumed)
    } else {
      fatalError("ISAKVO_FALSIFIED: there is no kind of answer \(kind)")
    }
  }
  // Before a test that expects another report, or none.
  SwiftLayout.reportDifferences()
}
