/// The probabilities of several tests, corrected for there being several: whichever are below a
/// level after it, the chance of a false one among them all is below that level.
///
/// - Note: Source Holm, A simple sequentially rejective multiple test procedure, 1979.
func holmCorrected(_ probabilities: [Double]) -> [Double] {
  var corrected = probabilities
  var greatest = 0.0
  let order = probabilities.indices.sorted { probabilities[$0] < probabilities[$1] }
  for (place, index) in order.enumerated() {
    let factor = Double(probabilities.count - place)
    greatest = max(greatest, min(factor * probabilities[index], 1))
    corrected[index] = greatest
  }
  return corrected
}
