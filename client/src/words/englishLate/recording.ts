// English: the later words of `recording`.

import { number } from '../format';

/** The section `recording`. */
export const recording = {
  nameOf: (title: string) => `Name of “${title}”`,
  how: 'Hold the button, say the name, let go. Or press once to start and once to stop.',
  hold: 'Hold to record',
  opening: 'Opening the microphone…',
  speak: 'Speak now',
  stopHint: 'Let go, or press again, to stop.',
  sending: 'Saving…',
  preparing: 'The server is preparing it.',
  waits: 'Kept on this device. It is sent when the server can be reached.',
  latest: 'Recorded name',
  recorded: (seconds: number) => `Recorded: ${number(seconds, 1)} s`,
  listen: 'Listen',
  stop: 'Stop',
  discard: 'Discard',
  deleted: (title: string) => `The recorded name of “${title}” is deleted.`,
  notPlayed: 'The recording can’t be played now.',
  problems: {
    insecure: 'The microphone needs a secure connection. Open Segmance over https, or on the computer it runs on.',
    denied: 'The microphone is not allowed. Allow it for this page in the browser’s settings, then try again.',
    missing: 'There is no microphone.',
    busy: 'The microphone can’t be opened. Another app may be using it.',
    unsupported: 'This browser can’t record here.',
    again: 'The microphone is ready. Now hold the button and speak.',
    short: 'That was too short. Hold the button while you say the name.',
    silent: 'Nothing was heard. Speak louder, or closer to the microphone.',
  },
};
