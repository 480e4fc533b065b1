// The driver of the peers in Swift.
import Paired

drive(handWrittenWorkloads + observationWorkloads + combineWorkloads)
