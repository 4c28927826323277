import Counts
import FoundationEssentials
import Testing

@Suite struct BeatAnalysisTests {
  @Test func `an analysis is written and read as JSON with the names of its fields`() throws {
    let text = """
      {"tempo": 119.5, "metre": 4, "confidence": 0.97, "frames": [24000, 48100], \
      "places": [4, 1], "eights": [48100]}
      """
    let analysis = try JSONDecoder().decode(BeatAnalysis.self, from: Data(text.utf8))
    #expect(
      analysis
        == BeatAnalysis(
          tempo: 119.5, metre: 4, confidence: 0.97, frames: [24_000, 48_100], places: [4, 1],
          eights: [48_100]))
    let again = try JSONEncoder().encode(analysis)
    #expect(try JSONDecoder().decode(BeatAnalysis.self, from: again) == analysis)
  }
}
