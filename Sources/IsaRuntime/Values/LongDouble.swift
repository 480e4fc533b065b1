// C's long double: a type of Swift's own on x86, of quadruple precision on Linux elsewhere, on Apple's
// systems a double.
#if arch(x86_64) || arch(i386)
  /// C's `long double`, as far as Swift knows it here.
  package typealias LongDouble = Float80

  extension Float80 {
    /// The nearest number of 64 bits.
    var double: Double { Double(self) }
  }
#elseif os(Linux)
  /// C's `long double`, as far as Swift knows it here.
  package typealias LongDouble = Quadruple
#else
  /// C's `long double`, as far as Swift knows it here: the nearest number of 64 bits.
  typealias LongDouble = Double

  extension Double {
    /// The number itself.
    var double: Double { self }
  }
#endif
