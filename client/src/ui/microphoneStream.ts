// The browser's microphone as a stream: opened when it is asked for, and released at once afterwards.

/** Why a microphone can't be opened. */
export type MicrophoneProblem = 'insecure' | 'denied' | 'missing' | 'busy' | 'unsupported';

/** Thrown when a microphone can't be opened. */
export class NoMicrophone extends Error {
  constructor(readonly problem: MicrophoneProblem) {
    super(problem);
  }
}

interface AudioSession { type: string }

/** An iPhone plays through the earpiece, and more quietly, while its session is for recording. */
function setSession(type: 'play-and-record' | 'playback'): void {
  const { audioSession } = navigator as Navigator & { audioSession?: AudioSession };
  if (audioSession) audioSession.type = type;
}

/** Opens the microphone; asks for permission if that is needed. Must be called in a user gesture. */
export async function openStream(audio: MediaTrackConstraints): Promise<MediaStream> {
  const { mediaDevices } = navigator as { mediaDevices?: MediaDevices };
  if (!globalThis.isSecureContext) throw new NoMicrophone('insecure');
  if (!mediaDevices) throw new NoMicrophone('unsupported');
  setSession('play-and-record');
  try {
    return await mediaDevices.getUserMedia({ audio });
  } catch (failure) {
    setSession('playback');
    throw new NoMicrophone(problemOf(failure));
  }
}

/** Releases it. */
export function releaseStream(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
  setSession('playback');
}

function problemOf(failure: unknown): MicrophoneProblem {
  switch (failure instanceof DOMException ? failure.name : '') {
    case 'NotAllowedError': return 'denied';
    case 'NotFoundError': return 'missing';
    case 'NotReadableError': return 'busy';
    default: return 'unsupported';
  }
}
