// Where the names that the caller says come from.

import { mediaAddress } from '../apiAddress';
import { speechLanguages, type SpeechLanguage } from '../generated/speech';
import type { Move, Recording } from '../sync/records';
import { language } from '../words/words';

/** Returns the language in which names are said: the chosen one, or that of the interface, or English. */
export function callLanguage(chosen: SpeechLanguage | 'interface'): SpeechLanguage {
  if (chosen !== 'interface') return chosen;
  return speechLanguages.find((each) => each === language) ?? 'en';
}

/** The recordings of a library. */
export interface RecordingLibrary {
  get(type: 'recording', id: string): Recording | undefined;
}

/** Returns the address of the voice file that says a move's name: the performer's own, or the server's. */
export function nameOfMove(move: Move, spoken: SpeechLanguage, library: RecordingLibrary): string {
  const recording = move.recording ? library.get('recording', move.recording) : undefined;
  return recording?.state === 'ready' ? mediaAddress.voice(recording.id) : mediaAddress.speech(spoken, move.title);
}

/** Returns the address of the voice file that says a part's name. */
export function nameOfPart(title: string, spoken: SpeechLanguage): string {
  return mediaAddress.speech(spoken, title);
}
