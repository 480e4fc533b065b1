// The driver of the Swift layer's own rows.
import Paired
import SwiftWorkloads

drive(swiftWorkloads)
