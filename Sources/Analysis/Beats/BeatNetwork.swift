// The network that hears beats and downbeats in bands.

/// How likely a beat and a downbeat are in one frame, 0–1.
struct BeatActivation: Sendable, Equatable {
  var beat: Float
  var downbeat: Float
}

/// A temporal convolutional network, run as a stream: frames go in one by one, activations come out
/// 2,336 frames later. Memory: about 1.5 MB; nothing is allocated after `init`.
///
/// After M. Davies and S. Böck, "Temporal convolutional networks for musical audio beat tracking"
/// (2019). `Training/beats/network.py` is the same network in PyTorch.
struct BeatNetwork: Sendable {
  /// Frames between the taps of each layer. The last two look again at what lies about a beat and
  /// about a bar away, when the whole is known.
  private static let dilations = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 16, 128]

  private var front: BandFront
  private var layers: [DilatedLayer]
  private let end: EndLayer

  /// Makes a network of the weights that training wrote; see `docs/FORMATS.md`. They are part of the
  /// program and have its shape.
  init(weights numbers: [Float]) {
    var reader = WeightReader(numbers: numbers)
    front = BandFront(&reader)
    layers = [
      DilatedLayer(
        &reader, inputCount: BandFront.outputCount, taps: 3, dilation: 1, isResidual: false)
    ]
    for dilation in Self.dilations {
      layers.append(
        DilatedLayer(
          &reader, inputCount: LayerRow.count, taps: 5, dilation: dilation, isResidual: true))
    }
    end = EndLayer(&reader)
    precondition(reader.isAtEnd)
  }

  /// Takes the bands of one frame and passes an activation to `body` as soon as one is known.
  mutating func append(_ bands: UnsafePointer<Float>, _ body: (BeatActivation) -> Void) {
    withRow { row in
      if front.push(bands, into: row) { pass(row, from: 0, body) }
    }
  }

  /// Passes the activations of the frames that are still on their way to `body`.
  mutating func finish(_ body: (BeatActivation) -> Void) {
    // Silence is zero in all bands and, at the ends, in each layer.
    let silence = [Float](repeating: 0, count: BandFront.outputCount)
    silence.withUnsafeBufferPointer { silence in
      let silence = silence.baseAddress!  // No frame and no row has more elements.
      append(silence, body)
      for index in layers.indices {
        for _ in 0..<layers[index].delay {
          withRow { row in
            if layers[index].push(silence, into: row) { pass(row, from: index + 1, body) }
          }
        }
      }
    }
  }

  /// Passes a row through the layers from `first` on, as far as they have something to say.
  private mutating func pass(
    _ row: UnsafeMutablePointer<Float>, from first: Int, _ body: (BeatActivation) -> Void
  ) {
    for index in first..<layers.count {
      guard layers[index].push(row, into: row) else { return }
    }
    body(end.activation(of: row))
  }

  /// Lends room for what one layer hands to the next.
  private func withRow(_ body: (UnsafeMutablePointer<Float>) -> Void) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: BandFront.outputCount) { row in
      row.initialize(repeating: 0)
      body(row.baseAddress!)  // It has that many elements.
    }
  }
}

/// Reads weights in the order in which training wrote them.
struct WeightReader {
  let numbers: [Float]
  private var place = 0

  init(numbers: [Float]) { self.numbers = numbers }

  var isAtEnd: Bool { place == numbers.count }

  mutating func take(_ count: Int) -> [Float] {
    defer { place += count }
    return Array(numbers[place..<place + count])
  }

  /// Takes `count` weights, a multiple of eight, eight at a time.
  mutating func takeLanes(_ count: Int) -> [Lanes] {
    let numbers = take(count)
    return stride(from: 0, to: count, by: Lanes.scalarCount).map { start in
      Lanes(numbers[start..<start + Lanes.scalarCount])
    }
  }
}
