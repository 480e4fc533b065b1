// The driver of the Swift layer's own rows.
import CWorkloads
import Paired
import SwiftWorkloads

drive(swiftWorkloads, beside: engine_bare_program(), within: engine_surroundings())
