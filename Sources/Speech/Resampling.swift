// From the rate of the speech program to that of recordings.

import Glibc

/// Returns samples at a higher rate: a sinc in a Hann window over 32 of them.
func resampled(_ samples: [Double], from: Int, to: Int) -> [Double] {
  let reach = 16
  // The places between two samples repeat, so the weights of each are computed once.
  let step = greatestCommonDivisor(from, to)
  let (spoken, wanted) = (from / step, to / step)
  let weights = (0..<wanted).map { phase in
    let part = Double(phase * spoken % wanted) / Double(wanted)
    return (1 - reach...reach).map { offset in
      let distance = part - Double(offset)
      let window = 0.5 + 0.5 * cos(.pi * distance / Double(reach))
      return window * (distance == 0 ? 1 : sin(.pi * distance) / (.pi * distance))
    }
  }
  return (0..<samples.count * wanted / spoken).map { index in
    let before = index * spoken / wanted
    let first = max(0, before - reach + 1)
    let last = min(samples.count - 1, before + reach)
    let weight = weights[index % wanted]
    var sum = 0.0
    for other in first...max(first, last) {
      sum += samples[other] * weight[other - before + reach - 1]
    }
    return sum
  }
}

private func greatestCommonDivisor(_ one: Int, _ other: Int) -> Int {
  other == 0 ? one : greatestCommonDivisor(other, one % other)
}
