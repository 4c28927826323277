// Writes the languages of the speech program as TypeScript.

import Speech

/// Returns the file with the languages in which names can be said, and the version of their sound.
func speechTypes() -> String {
  let codes = SpeechLanguage.all.map { "'\($0.code)'" }.joined(separator: ", ")
  return header(of: "Sources/Speech") + """

    /** The languages in which the server can say a name, by their codes in BCP 47. */
    export const speechLanguages = [\(codes)] as const;
    export type SpeechLanguage = (typeof speechLanguages)[number];
    /** The version of the sound that the server makes of a text. */
    export const speechVersion = \(SpokenText.version);
    /** The most characters of a text that is said. */
    export const longestSpokenText = \(SpokenText.longest);

    """
}
