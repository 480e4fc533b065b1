// The driver of the peers in Swift.
import Paired

trackSlowly()
drive(
  handWrittenWorkloads + observationWorkloads + combineWorkloads + slowTrackingWorkloads)
