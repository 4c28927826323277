// Names as sound, said by the speech program.

import HTTP
import Speech

enum SpeechRoutes {
  static func routes(_ library: Library) -> [Route] {
    let codes = SpeechLanguage.all.map(\.code)
    return [
      Route(
        .get, "/api/speech", summary: "A text as sound, said by the speech program",
        parameters: [
          ParameterDoc(
            "language",
            schema: ["type": "string", "enum": .array(codes.map { .string($0) })], required: true),
          ParameterDoc(
            "text", schema: ["type": "string", "minLength": 1],
            description: "At most \(SpokenText.longest) characters", required: true),
          CacheControl.versionParameter,
        ],
        responses: [
          ResponseDoc(200, "A voice file with one recording", contentType: "audio/wav")
        ], access: .visitor(.spokenTitle)
      ) { request in
        guard let language = request.query["language"].flatMap(SpeechLanguage.of) else {
          throw HTTPError.badRequest(
            "language must be one of \(codes.joined(separator: ", ")).")
        }
        guard let text = request.query["text"] else {
          throw HTTPError.badRequest("text is missing: the name to say.")
        }
        let version = SpokenText.version
        return .bytes(
          try library.speaker.voiceFile(of: text, in: language), contentType: "audio/wav",
          etag: "speech-\(version)",
          cacheControl: try CacheControl.derived(version, current: version, request))
      }
    ]
  }
}
