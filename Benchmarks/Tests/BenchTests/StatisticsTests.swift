import Testing

@testable import BenchRunner

// The figures are those of scipy 1.17.1:
// scipy.stats.mannwhitneyu(a, b, alternative="two-sided", method="asymptotic",
// use_continuity=True).
@Suite struct MannWhitneyTests {
  @Test("samples that do not overlap")
  func apart() {
    let test = MannWhitney([1, 2, 3, 4, 5], [6, 7, 8, 9, 10])
    #expect(test.u == 0)
    #expect(near(test.p, 0.012185780355344813))
  }

  @Test("samples of different sizes")
  func sizes() {
    let test = MannWhitney([19, 22, 16, 29, 24], [20, 11, 17, 12])
    #expect(test.u == 17)
    #expect(near(test.p, 0.11134688653314041))
    let small = MannWhitney([1, 2], [1, 2, 3, 4, 5, 6, 7])
    #expect(small.u == 2)
    #expect(near(small.p, 0.18398553600271994))
  }

  @Test("ties share their ranks and narrow the spread")
  func ties() {
    let test = MannWhitney(
      [1.1, 1.2, 1.2, 1.3, 1.3, 1.3, 1.4, 1.5], [1.2, 1.3, 1.3, 1.4, 1.4, 1.5, 1.5, 1.6])
    #expect(test.u == 17)
    #expect(near(test.p, 0.11877131320789149))
  }

  @Test("as many samples as a run takes")
  func thirtyOne() {
    let first = (0..<31).map { 10 + 0.1 * Double(($0 * 7) % 31) }
    let second = (0..<31).map { 10.5 + 0.1 * Double(($0 * 11) % 31) }
    let test = MannWhitney(first, second)
    #expect(test.u == 338)
    #expect(near(test.p, 0.04552054431604683))
  }

  @Test("values that are all alike, and no values, do not differ")
  func alike() {
    #expect(MannWhitney([1, 1, 1, 1], [1, 1, 1, 1]).p == 1)
    #expect(MannWhitney([], [1, 2]).p == 1)
  }

  @Test("the order of the samples does not change the probability")
  func symmetric() {
    let (first, second) = ([3.0, 1, 4, 1, 5], [9.0, 2, 6, 5, 3])
    #expect(near(MannWhitney(first, second).p, MannWhitney(second, first).p))
  }
}

@Suite struct QuantileTests {
  @Test("quantiles lie between the nearest values")
  func quantiles() {
    #expect(median(of: [3, 1, 2]) == 2)
    #expect(median(of: [4, 1, 2, 3]) == 2.5)
    #expect(quantile(0.25, of: [1, 2, 3, 4]) == 1.75)
    #expect(quantile(1, of: [1, 2, 3, 4]) == 4)
    #expect(median(of: []) == nil)
  }
}

@Suite struct HolmTests {
  // The example of p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") in R.
  @Test("the least probability counts as often as there are tests")
  func corrected() {
    let corrected = holmCorrected([0.01, 0.04, 0.03, 0.005])
    #expect(zip(corrected, [0.03, 0.06, 0.06, 0.02]).allSatisfy(near))
  }

  @Test("no probability exceeds 1")
  func bounded() { #expect(holmCorrected([0.9, 0.8]) == [1, 1]) }

  @Test("nothing to correct")
  func nothing() { #expect(holmCorrected([]).isEmpty) }
}

func near(_ first: Double, _ second: Double) -> Bool { abs(first - second) < 1e-9 }
