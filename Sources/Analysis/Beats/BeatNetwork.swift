// The network that hears beats and downbeats in bands.

/// How likely a beat and a downbeat are in one frame, 0–1.
struct BeatActivation: Sendable, Equatable {
  var beat: Float
  var downbeat: Float
}

/// A temporal convolutional network, run as a stream: frames go in one by one, activations come out
/// 2,336 frames later. It hears several versions of the same sound at once, and their mean comes out.
/// Each layer hears all of them before the next one does, while its weights are in the nearest cache.
/// Memory: about 0.7 MB for each version, and 0.4 MB; nothing is allocated after `init`.
///
/// After M. Davies and S. Böck, "Temporal convolutional networks for musical audio beat tracking"
/// (2019). `Training/beats/network.py` is the same network in PyTorch.
struct BeatNetwork: Sendable {
  /// Frames between the taps of each layer. The last two look again at what lies about a beat and
  /// about a bar away, when the whole is known.
  private static let dilations = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 16, 128]

  private let versionCount: Int
  private var front: BandFront
  private var layers: [DilatedLayer]
  private let end: EndLayer
  /// What one layer hands to the next, of each version.
  private var rows: [Float]

  /// Makes a network of the weights that training wrote; see `docs/FORMATS.md`. They are part of the
  /// program and have its shape.
  init(weights numbers: [Float], versionCount: Int = 1) {
    self.versionCount = versionCount
    var reader = WeightReader(numbers: numbers)
    front = BandFront(&reader, versionCount: versionCount)
    layers = [
      DilatedLayer(
        &reader, versionCount: versionCount, inputCount: BandFront.outputCount, taps: 3,
        dilation: 1, isResidual: false)
    ]
    for dilation in Self.dilations {
      layers.append(
        DilatedLayer(
          &reader, versionCount: versionCount, inputCount: LayerRow.count, taps: 5,
          dilation: dilation, isResidual: true))
    }
    end = EndLayer(&reader)
    rows = [Float](repeating: 0, count: versionCount * BandFront.outputCount)
    precondition(reader.isAtEnd)
  }

  /// Takes the bands of one frame, those of each version after the other's, and passes an activation
  /// to `body` as soon as one is known.
  mutating func append(_ bands: UnsafePointer<Float>, _ body: (BeatActivation) -> Void) {
    withRows { network, rows in
      if network.front.push(bands, into: rows) { network.pass(rows, from: 0, body) }
    }
  }

  /// Passes the activations of the frames that are still on their way to `body`.
  mutating func finish(_ body: (BeatActivation) -> Void) {
    // Silence is zero in all bands and, at the ends, in each layer.
    let silence = [Float](repeating: 0, count: versionCount * BandFront.outputCount)
    silence.withUnsafeBufferPointer { silence in
      let silence = silence.baseAddress!  // No frame and no row has more elements.
      append(silence, body)
      for index in layers.indices {
        for _ in 0..<layers[index].delay {
          withRows { network, rows in
            if network.layers[index].push(silence, into: rows) {
              network.pass(rows, from: index + 1, body)
            }
          }
        }
      }
    }
  }

  /// Passes rows through the layers from `first` on, as far as they have something to say.
  private mutating func pass(
    _ rows: UnsafeMutablePointer<Float>, from first: Int, _ body: (BeatActivation) -> Void
  ) {
    for index in first..<layers.count {
      guard layers[index].push(rows, into: rows) else { return }
    }
    var mean = BeatActivation(beat: 0, downbeat: 0)
    for version in 0..<versionCount {
      let activation = end.activation(of: rows + version * LayerRow.count)
      mean.beat += activation.beat / Float(versionCount)
      mean.downbeat += activation.downbeat / Float(versionCount)
    }
    body(mean)
  }

  /// Lends the room for what one layer hands to the next, and the network itself. If `body` captured the
  /// network, a copy of it would be kept meanwhile, and each frame would copy the memory of all layers.
  private mutating func withRows(_ body: (inout Self, UnsafeMutablePointer<Float>) -> Void) {
    var rows: [Float] = []
    swap(&rows, &self.rows)
    rows.withUnsafeMutableBufferPointer { body(&self, $0.baseAddress!) }  // `init` made it.
    swap(&rows, &self.rows)
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
