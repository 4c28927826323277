// The beginning: with natural voice, whose work is spread over some steps, and of the longest windows.

/// How the beginning with natural voice is spread.
///
/// For that long the bands would make the material again as it is: they all read at the source's own speed, with the
/// source's own phases. So the material itself is heard, and what the bands need is made ready meanwhile.
struct Beginning {
  /// The output frames after which the bands have caught up.
  static let frames = 512
  /// The frames over which the bands take over.
  static let joinFrames = 128
  /// The frames over which the material takes over from what rings out, if something does.
  static let entryFrames = 256

  /// Whether the beginning is spread: whether there is natural voice.
  var isSpread = false
  /// Whether the material is heard from the first frame on, at full level, as nothing rings out.
  var isSudden = true
  /// Whether it follows a beginning that was not over, of which the bands have nothing that could ring out.
  var isCutOff = false

  /// The share of the material in the output, some frames after the beginning.
  func level(_ since: Int) -> Float {
    let entry = isSudden ? 1 : (Float(since) + 0.5) / Float(Self.entryFrames)
    let exit = 1 - (Float(since - Self.frames) + 0.5) / Float(Self.joinFrames)
    return max(0, min(1, entry, exit))
  }
}

extension Stretcher {
  /// Whether the material itself is heard in the next step.
  var isBeginning: Bool {
    beginning.isSpread && made - startOutput < Beginning.frames + Beginning.joinFrames
  }

  /// The part of the material that is made by the end of the next step, of all that the bands need for it.
  func requiredPart(of material: Int) -> Int {
    let whole = Beginning.frames + Self.stepFrames
    let since = (isStretching ? made - startOutput : 0) + Self.stepFrames
    return keepsFormants && since < whole ? material * since / whole : material
  }

  /// How much of the longest windows' material is read by the next step, as it is not needed soon.
  var readAheadSinceStart: Int {
    let since = made - startOutput
    return beginning.isSpread ? 6 * max(0, since - Beginning.frames) : 16 * since
  }

  /// The material that the longest windows need to begin before they are due: two whole transforms, of which the first
  /// lies wherever an attack within `openingFrames` puts it.
  var steadyBeginning: Int {
    let shape = bands[WindowLengths.steadyBand].shape
    return shape.delayFrames + shape.hopFrames + Self.openingFrames
      + bands[WindowLengths.steadyBand].readFrames
  }
  private static let openingFrames = 2_048

  /// Whether the longest windows can begin before they are due: there is material, with no attack but in the opening.
  var canBeginSteady: Bool {
    !bands[WindowLengths.steadyBand].hasPast && material.end >= steadyBeginning
      && (attacks.count == 0 || place(ofAttack: attacks.count - 1) < Self.openingFrames)
  }

  /// Begins the longest windows with the transform at a frame of the material, and makes those before it too: where the
  /// sound is steady, they are heard from some 40 ms after the beginning on.
  mutating func beginSteady(from place: Int) {
    let band = WindowLengths.steadyBand
    bands[band].lookAhead(material, from: place)
    // The other windows were already made up to here, as if the longest were not heard.
    let usual = (bands[WindowLengths.lowBand].center - startOutput) & ~2_047
    windowLengths.beginSteady(from: startOutput + usual, bands)
    bands[band].processBack(to: startOutput, windowLengths, band: band)
  }

  /// Decides how the bands will begin.
  mutating func prepareBeginning(silent: Bool) {
    let since = made - startOutput
    // Several commands may begin the bands before a frame is made.
    if !isStretching || since > 0 {
      beginning.isCutOff = isStretching && isBeginning
      beginning.isSudden = silent || beginning.isCutOff
    }
    beginning.isSpread = keepsFormants
  }

  /// Fades out the latest frame, and fades in what follows, as at a jump.
  mutating func ringOut(_ latest: (left: Float, right: Float)) {
    let fade = EngineTimeline.fadeFrames
    let level = Float(fade - fadeInLeft) / Float(fade)
    declicker.capture(left: level * latest.left, right: level * latest.right)
    fadeInLeft = fade
  }

  /// Whether a band's next transform finds its material, wherever it is taken, and hides nothing that rings out.
  func isReady(_ band: Int) -> Bool {
    let since = made - startOutput
    guard beginning.isSpread && since < Beginning.frames else { return true }
    if !beginning.isSudden && since < Beginning.entryFrames { return false }
    let center = bands[band].center
    let place = max(center - startOutput, Int(idealPlace(of: center)))
    return place + bands[band].readFrames + 16 <= material.end
  }

  /// Mixes the next step of the material with that of the bands.
  mutating func mixBeginning() {
    var hits = hits(around: made)
    for frame in 0..<Self.stepFrames {
      let output = made + frame
      if output >= hits.next.output { hits = self.hits(around: output) }
      let place = place(of: output, hits)
      var left = material.left[place], right = material.right[place]
      let ahead = hits.next.output - output
      if ahead < Hits.leadFrames {
        // What leads to an attack is heard right before it.
        let lead = hits.next.place - ahead
        let share = 1 - Float(ahead) / Float(Hits.leadFrames)
        left += share * (material.left[lead] - left)
        right += share * (material.right[lead] - right)
      }
      let level = beginning.level(output - startOutput)
      readyLeft[frame] += level * (left - readyLeft[frame])
      readyRight[frame] += level * (right - readyRight[frame])
    }
  }

  /// The material frame that is heard at an output frame: from the latest attack on at the source's own speed,
  /// but back and forth before the next one, as each is heard once.
  private func place(of output: Int, _ hits: Hits) -> Int {
    let since = output - hits.latest.output
    let length = max(1, hits.next.place - Hits.hiddenFrames - hits.latest.place)
    guard since > length else { return hits.latest.place + since }
    let turn = since % (2 * length)
    return hits.latest.place + (turn < length ? turn : 2 * length - turn)
  }

  /// Returns the latest attack that has been heard at an output frame, or the beginning, and the next one.
  private func hits(around output: Int) -> Hits {
    var hits = Hits(latest: (startOutput, 0))
    for index in 0..<attacks.count where attacks[index] > startSource + Self.sameFrames {
      let hit = (output: self.output(ofAttack: index), place: place(ofAttack: index))
      if hit.output > output {
        hits.next = hit
        break
      }
      hits.latest = hit
    }
    return hits
  }
}

/// Two attacks, one after the other: where they are heard, and their frames in the material.
private struct Hits {
  static let leadFrames = 32
  /// The frames before an attack that may belong to it.
  static let hiddenFrames = 48

  var latest: (output: Int, place: Int)
  var next = (output: 1 << 30, place: 1 << 30)
}
