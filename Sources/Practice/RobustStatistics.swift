// Location and spread of measurements of which some are wrong.

enum RobustStatistics {
  /// The standard deviation of normal noise over its median absolute deviation.
  static let deviationOfMedianDeviation = 1.4826

  /// Returns the median; 0 if there are no values.
  static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// Returns the median distance from a centre.
  static func medianDeviation(_ values: [Double], from center: Double) -> Double {
    median(values.map { abs($0 - center) })
  }

  /// Returns the median of the means of all pairs (Hodges and Lehmann 1963): nearly as exact as the mean
  /// where noise is normal, and moved little by a few wrong values. Quadratic in their number.
  static func pairMedian(_ values: [Double]) -> Double {
    var means: [Double] = []
    means.reserveCapacity(values.count * (values.count + 1) / 2)
    for first in values.indices {
      for second in first..<values.count { means.append((values[first] + values[second]) / 2) }
    }
    return median(means)
  }

  /// Returns the sum of the squared distances from the mean, and that of the products of successive ones.
  static func serialSums(_ values: [Double]) -> (squares: Double, products: Double) {
    guard !values.isEmpty else { return (0, 0) }
    let mean = values.reduce(0, +) / Double(values.count)
    var sums = (squares: 0.0, products: 0.0)
    for index in values.indices {
      let distance = values[index] - mean
      sums.squares += distance * distance
      if index > 0 { sums.products += distance * (values[index - 1] - mean) }
    }
    return sums
  }
}
