// Renders the stretched sound in steps of 128 frames, for any block size.

extension Stretcher {
  /// Fills stereo output with the next frames and returns how many: fewer if source frames are
  /// needed or the source has ended.
  ///
  /// Real time: the work for each step of 128 frames is bounded: a few transforms.
  public mutating func render(
    frames: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) -> Int {
    var done = 0
    while done < frames {
      if heard == made {
        if isBeyondEnd(heard) { break }
        if sourceLength != nil {
          // Frames after the end may be given first: else the sound would depend on the block's size.
          if done > 0 && source.end < requiredSource { break }
          padByReflection()
        }
        guard source.end >= requiredSource else { break }
        makeStep()
      }
      var count = min(frames - done, made - heard)
      if sourceLength != nil {
        while count > 0 && isBeyondEnd(heard + count - 1) { count -= 1 }
        if count == 0 { break }
      }
      let from = Self.stepFrames - (made - heard)
      (left + done).update(from: readyLeft.base + from, count: count)
      (right + done).update(from: readyRight.base + from, count: count)
      finish(count, left + done, right + done)
      heard += count
      done += count
    }
    return done
  }

  /// Applies the fades of a jump, and stores the last frame.
  private mutating func finish(
    _ count: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
  ) {
    var frame = 0
    while fadeInLeft > 0 && frame < count {
      fadeInLeft -= 1
      let level = Float(EngineTimeline.fadeFrames - fadeInLeft) / Float(EngineTimeline.fadeFrames)
      left[frame] *= level
      right[frame] *= level
      frame += 1
    }
    if declicker.isSounding { declicker.mix(count: count, left: left, right: right) }
    lastLeft = left[count - 1]
    lastRight = right[count - 1]
  }

  // MARK: The source

  /// The source frames that the next step needs.
  var requiredSource: Int {
    let plain = max(map.frame(at: made), passing.frame) + Self.stepFrames + 1
    guard isStretching || !passes else { return plain }
    let start = isStretching ? startSource : map.frame(at: made)
    let needed = Double(start) + Double(requiredMaterial(from: start)) * transposer.ratio
    // Attacks are found, and confirmed, some hops after their frames were given.
    let listening = (AttackDetector.settlingHops + 2) * AttackDetector.hop
    let shaping = keepsFormants ? FormantFilter.lookAheadFrames : 0
    return max(plain, Int(needed) + Transposer.reach + max(listening, shaping))
  }

  /// The material frames that the bands need for the next step, if they began at `start`. After a beginning
  /// the longest windows' share of them is read little by little.
  private func requiredMaterial(from start: Int) -> Int {
    let slowest = max(0, 1 - Double(map.slowestRate) / 100 / transposer.ratio)
    // At an attack the bands read at the source's own speed, which is ahead of a slower ideal position;
    // so do the longest windows until their first transform.
    let low = bands[WindowLengths.lowBand].shape
    let steady = bands[WindowLengths.steadyBand].shape
    let usual = requiredPart(
      of: requiredMaterial(
        WindowLengths.lowBand, from: start, lead: slowest * Double(low.lengthFrames / 2)))
    guard isStretching else { return usual }
    let whole = max(
      steadyBeginning,
      requiredMaterial(
        WindowLengths.steadyBand, from: start,
        lead: slowest * Double(steady.delayFrames + steady.hopFrames)))
    return max(usual, min(whole, usual + readAheadSinceStart))
  }

  private func requiredMaterial(_ band: Int, from start: Int, lead: Double) -> Int {
    let ahead = bands[band].reachFrames + Self.stepFrames
    let place = Double(map.position(at: made + ahead)) / 100 - Double(start)
    return Int(place / transposer.ratio + lead) + bands[band].readFrames + 16
  }

  /// Appends source frames that `write` stores, and detects attacks in them, if they are the source's own.
  mutating func append(
    _ count: Int, isSource: Bool = true,
    write: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>) -> Void
  ) {
    let kept = min(map.frame(at: made) - Self.keptFrames, attacks.frame - AttackDetector.readBehind)
    source.makeRoom(count, keepingFrom: kept)
    write(source.left + source.end, source.right + source.end)
    source.wrote(count)
    while attacks.frame + AttackDetector.hop <= source.end {
      guard isSource else {
        attacks.skip()
        continue
      }
      attacks.listen(source.left + attacks.frame, source.right + attacks.frame)
    }
  }

  /// Continues beyond the last frame that was given with the sound before it, backwards, so that the level
  /// stays what it was. With silence in its place low tones faded at slow speeds.
  private mutating func padByReflection() {
    let last = source.end - 1
    let length = max(1, min(last, Self.keptFrames - 512))
    while source.end < requiredSource {
      let from = source.end
      append(Self.stepFrames, isSource: false) { left, right in
        for index in 0..<Self.stepFrames {
          // Back and forth over the same frames.
          let turn = (from + index - last) % (2 * length)
          let place = last - (turn < length ? turn : 2 * length - turn) - from
          left[index] = left[place]
          right[index] = right[place]
        }
      }
    }
  }
  /// The source frames that are kept behind what is made.
  private static let keptFrames = 4_608

  /// Whether the centre of an output frame lies beyond the end of the source.
  func isBeyondEnd(_ output: Int) -> Bool {
    guard let sourceLength else { return false }
    return 2 &* map.position(at: output) + map.piece(at: output).rate > 200 &* Int64(sourceLength)
  }

  // MARK: Steps

  /// Whether the source should pass through unchanged.
  var passes: Bool {
    transposer.ratio == 1 && map.latestRate == 100 && map.piece(at: made).rate == 100
  }

  private mutating func makeStep() {
    let passes = self.passes
    if !passes && !isStretching { startBands(silent: true) }
    let latest = (left: readyLeft[Self.stepFrames - 1], right: readyRight[Self.stepFrames - 1])
    readyLeft.clear()
    readyRight.clear()
    if isStretching {
      feedMaterial()
      for index in 0..<Self.bandCount {
        while index == WindowLengths.steadyBand && canBeginSteady
          || bands[index].center < made + Self.stepFrames + bands[index].reachFrames
            && isReady(index)
        { makeTransform(index) }
        bands[index].addStep(readyLeft.base, readyRight.base)
      }
      if isBeginning { mixBeginning() }
    }
    mixPassing(entering: passes)
    if made == 0 { beginAsTheSource() }
    if beginning.isCutOff && made == startOutput { ringOut(latest) }
    made += Self.stepFrames
    map.forget(before: made - 16_384)
    attacks.forget(before: map.frame(at: made) - 20_000)
  }

  /// Starts with the source's own first frame and fades its difference from the stretched sound
  /// over 5 ms. Transforms centred before the beginning contain parts of what follows, which would
  /// start with a click.
  private mutating func beginAsTheSource() {
    guard fadeInLeft == 0 else { return }
    declicker.capture(
      left: source.left[0] - readyLeft[0], right: source.right[0] - readyRight[0])
  }

  /// Mixes the unchanged source with the stretched sound.
  private mutating func mixPassing(entering: Bool) {
    if passing.level == 0 && !entering { return }
    if passing.level == 0 { passing.isLeaving = false }
    if !entering && !passing.isLeaving { passing.isLeaving = true }
    if !passing.isLeaving { passing.frame = map.frame(at: made) }
    let left = source.left + passing.frame
    let right = source.right + passing.frame
    if passing.level == 1 && !passing.isLeaving {
      readyLeft.base.update(from: left, count: Self.stepFrames)
      readyRight.base.update(from: right, count: Self.stepFrames)
    } else {
      for frame in 0..<Self.stepFrames {
        passing.level =
          passing.isLeaving
          ? max(0, passing.level - Passing.leavingStep)
          : min(1, passing.level + Passing.enteringStep)
        let level = passing.level * passing.level * (3 - 2 * passing.level)
        readyLeft[frame] += level * (left[frame] - readyLeft[frame])
        readyRight[frame] += level * (right[frame] - readyRight[frame])
      }
    }
    passing.frame += Self.stepFrames
    if passing.level == 1 { isStretching = false }
  }

  /// Starts the bands at the next output frame with the source's own phases.
  mutating func startBands(silent: Bool) {
    prepareBeginning(silent: silent)
    isStretching = true
    startSource = map.frame(at: made)
    startOutput = made
    material.reset(silent: 8_192)
    windowLengths.reset(at: made)
    if keepsFormants { formants.restart(at: startSource, ratio: transposer.ratio) }
    let isSilent = silent || beginning.isCutOff
    for index in 0..<Self.bandCount { bands[index].restart(at: made, silent: isSilent) }
  }

  /// Transposes source frames to material, and resamples that for the bands, as far as the next
  /// step needs it.
  private mutating func feedMaterial() {
    let ratio = transposer.ratio
    let wanted = requiredMaterial(from: startSource) + 16
    let ideal = Int(idealPlace(of: made))
    while material.end < wanted {
      let frame = Double(startSource) + Double(material.end) * ratio
      let first = Int(frame)
      let count: Int
      if ratio == 1 {
        count = min(source.end - first, wanted - material.end, Self.inputCapacity)
        guard count > 0 else { break }
        material.makeRoom(count, keepingFrom: ideal - 3_000)
        (material.left + material.end).update(from: source.left + first, count: count)
        (material.right + material.end).update(from: source.right + first, count: count)
      } else {
        guard isReadable(first + Transposer.reach) else { break }
        count = 1
        material.makeRoom(count, keepingFrom: ideal - 3_000)
        let values = transposedValues(frame: first, fraction: frame - Double(first))
        material.left[material.end] = values.0
        material.right[material.end] = values.1
      }
      material.wrote(count)
      if ratio == 1 || material.end.isMultiple(of: 64) { absorb(ideal) }
    }
    absorb(ideal)
  }

  /// Whether transposing keeps the formants.
  var keepsFormants: Bool { isNaturalVoice && transposer.ratio != 1 }

  /// Returns whether a frame can be transposed; with its formants moved, if they are to be.
  private mutating func isReadable(_ frame: Int) -> Bool {
    guard keepsFormants else { return frame < source.end }
    return formants.advance(until: frame, source)
  }

  private func transposedValues(frame: Int, fraction: Double) -> (Float, Float) {
    guard keepsFormants else {
      return transposer.values(source.left, source.right, frame: frame, fraction: fraction)
    }
    return transposer.values(
      formants.filtered.left, formants.filtered.right, frame: frame - formants.start,
      fraction: fraction)
  }

  private func absorb(_ ideal: Int) {
    for index in 0..<Self.bandCount { bands[index].absorb(material, keepingFrom: ideal - 12_000) }
  }

  // MARK: Where transforms are taken

  /// The fractional material frame that corresponds to an output frame.
  func idealPlace(of output: Int) -> Double {
    (Double(map.position(at: output)) / 100 - Double(startSource)) / transposer.ratio
  }

  /// Returns the material frame of an attack. The bands' own beginning counts as attack −1.
  func place(ofAttack index: Int) -> Int {
    if index < 0 { return 0 }
    return Int((Double(attacks[index] - startSource) / transposer.ratio).rounded(.toNearestOrEven))
  }

  /// Whether an attack lies after the bands' beginning and contains frequencies of a band.
  private func concerns(attack index: Int, band: Int) -> Bool {
    attacks[index] > startSource + Self.sameFrames
      && (band != WindowLengths.lowBand || attacks.hasLowFrequencies(index))
  }

  /// An attack within so many frames of the bands' beginning is the beginning.
  static let sameFrames = 16

  /// How the sound of an attack goes on. At the bands' beginning that is the sound of the latest attack in the 43 ms
  /// before, if there is one, and else held.
  private func onset(ofAttack index: Int) -> Onset {
    if index >= 0 { return attacks.onset(index) }
    var onset = Onset.sudden
    for index in 0..<attacks.count {
      let since = startSource - attacks[index]
      if since >= -Self.sameFrames && since < 2_048 { onset = attacks.onset(index) }
    }
    return onset
  }

  /// For how long a band reads the source at its own speed after an attack, in output frames.
  ///
  /// What dies away is read so for as long as the attack lies in the window. What is held is so for two transforms
  /// only, since bands would else be at different places of it: a voice's tones on their borders cancelled. Of what is
  /// there at once only the lowest band, so that the others keep its edge and its level.
  private func pinnedFrames(_ band: Int, _ onset: Onset, rate: Double) -> Int {
    let shape = bands[band].shape
    let isEdge = onset == .hit || onset == .sudden && band != WindowLengths.lowBand
    if !isEdge && band != WindowLengths.steadyBand { return 3 * shape.hopFrames / 2 }
    // Where there are attacks the longest windows are not heard. The first transform has the phases that the source
    // would have there at its own speed, as the other bands have had since the beginning.
    let frames = band == WindowLengths.steadyBand ? shape.hopFrames : shape.lengthFrames / 2
    // What is there at once and held has to be caught up with again at a higher speed.
    return onset == .hit ? frames : Int(Double(frames) / min(max(rate, 1), 1.5))
  }

  func output(ofAttack index: Int) -> Int {
    index < 0 ? startOutput : max(startOutput, map.output(ofFrame: attacks[index]))
  }

  /// Whether an attack was heard within a window's length of a band, or comes within 43 ms.
  private func isNearHit(_ band: Int, _ output: Int) -> Bool {
    for index in 0..<attacks.count where concerns(attack: index, band: band) {
      let since = output - self.output(ofAttack: index)
      if since > -2_048 && since < bands[band].shape.lengthFrames { return true }
    }
    return false
  }

  /// Makes a band's next transform, so that every attack is heard once and at its place.
  ///
  /// From an attack on, as long as it lies in the window, the source is read at its own speed, if it dies away.
  /// Other transforms do not see the attack: their window ends before it, or begins after it
  /// (compare Röbel 2003, in which such transforms keep their phases until the attack is centred).
  private mutating func makeTransform(_ bandIndex: Int) {
    let shape = bands[bandIndex].shape
    let half = shape.lengthFrames / 2
    let output = bands[bandIndex].center
    let ideal = idealPlace(of: output)
    let rate = Double(map.piece(at: output).rate) / 100 / transposer.ratio

    // The latest attack that has been heard, the one before and the one after it.
    var latest = -1
    var previous = -1
    var next = 0
    while next < attacks.count {
      if concerns(attack: next, band: bandIndex) {
        if self.output(ofAttack: next) > output { break }
        previous = latest
        latest = next
      }
      next += 1
    }

    let since = output - self.output(ofAttack: latest)
    let onset = onset(ofAttack: latest)
    let isPinned =
      since < pinnedFrames(bandIndex, onset, rate: rate) || !bands[bandIndex].hasPast
    var place: Int
    if isPinned {
      place = self.place(ofAttack: latest) + since
      bands[bandIndex].offset = Double(place) - ideal
    } else {
      // With a lead of half a hop's difference, the phase turn over one hop is that of the ideal
      // position.
      let rest = Double(shape.hopFrames) * (1 - rate) / 2
      let step = Double(shape.hopFrames) * rate / 2
      let excess = bands[bandIndex].offset - rest
      bands[bandIndex].offset -= max(-step, min(step, excess))
      place = Int((ideal + bands[bandIndex].offset).rounded(.toNearestOrEven))
    }

    // The view hides attacks that belong elsewhere, and any sound that would be laid over an
    // attack.
    var view = View()
    if next < attacks.count {
      let attack = self.place(ofAttack: next)
      place = min(place, attack - 1)
      let edge = min(attack - place, self.output(ofAttack: next) - output) - 8
      if edge < half + 64 { view.right = max(edge, 0) }
    }
    if bandIndex == WindowLengths.steadyBand && canBeginSteady { return beginSteady(from: place) }
    let hidden = isPinned || onset != .hit && since < half ? previous : latest
    if hidden >= 0 {
      let edge = max(
        self.place(ofAttack: hidden) - place, self.output(ofAttack: hidden) - output)
      if edge + Self.attackFrames > -half - 64 { view.left = edge + Self.attackFrames }
    }
    if bandIndex == WindowLengths.steadyBand {
      windowLengths.chooseSteady(at: output, bands, isWhole: view == View())
    } else if bandIndex == WindowLengths.lowBand {
      windowLengths.chooseMoving(
        at: output, bands,
        isHit: (
          isNearHit(WindowLengths.lowBand, output), isNearHit(WindowLengths.middleBand, output)
        ))
    }
    bands[bandIndex].apply(windowLengths, band: bandIndex)
    bands[bandIndex].forgetLead()
    // The longest that is heard leads.
    for longer in (0..<bandIndex).reversed() {
      bands[bandIndex].follow(bands[longer], band: longer, windowLengths, through: shorterWindows)
    }
    bands[bandIndex].process(
      material, source: place, view: view, isAttack: isPinned && since < shape.hopFrames)
  }

  /// The length of an attack: how much of it is hidden from later transforms.
  private static let attackFrames = 128
}
