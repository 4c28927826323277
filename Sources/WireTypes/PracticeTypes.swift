// Writes the interface of the arithmetic of practice as TypeScript.

import FoundationEssentials
import Practice

/// Returns the file with the functions that the module of practice exports, from all files of its folder.
func practiceTypes() throws -> String {
  let files = try FileManager.default.contentsOfDirectory(atPath: practiceExportsPath)
    .filter { $0.hasSuffix(".swift") }.sorted()
  let functions = try files.flatMap { file in
    let path = "\(practiceExportsPath)/\(file)"
    return exportedFunctions(in: try String(contentsOfFile: path, encoding: .utf8), at: path)
  }
  return header(of: "Sources/Practice and \(practiceExportsPath)")
    + enumeration(StepKind.self, "StepKind", list: "stepKinds")
    + enumeration(Reason.Kind.self, "ReasonKind", list: "reasonKinds")
    + "\n/** The exports of practice.wasm. Every handle and address is a number. */\n"
    + "export interface PracticeExports {\n  memory: WebAssembly.Memory;\n"
    + functions.map { "  \($0)\n" }.joined() + "}\n" + latencyTypes()
}
