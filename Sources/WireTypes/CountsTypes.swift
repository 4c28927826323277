// Writes the interface of the counts as TypeScript.

import Counts

/// Returns the file with the kinds of corrections and the functions that the module of counts exports.
func countsTypes(exports source: String) -> String {
  header(of: "Sources/Counts and \(countsExportsPath)")
    + enumeration(Correction.Kind.self, "CorrectionKind", list: "correctionKinds")
    + "\n/** From this confidence on, counts are shown without being asked for. */\n"
    + "export const likelyConfidence = \(BeatAnalysis.likelyConfidence);\n"
    + "\n/** The exports of counts.wasm. Every handle and address is a number. */\n"
    + "export interface CountsExports {\n  memory: WebAssembly.Memory;\n"
    + exportedFunctions(in: source, at: countsExportsPath).map { "  \($0)\n" }.joined() + "}\n"
}
