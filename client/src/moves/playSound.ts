// Plays a short sound, one at a time.

let playing: { readonly audio: HTMLAudioElement; readonly address: string } | null = null;

/** Stops what is playing. */
export function stopSound(): void {
  if (!playing) return;
  playing.audio.pause();
  URL.revokeObjectURL(playing.address);
  playing = null;
}

/** Plays a sound to its end, or until another one begins; throws if the browser can't. */
export async function playSound(sound: Blob): Promise<void> {
  stopSound();
  const address = URL.createObjectURL(sound);
  const audio = new Audio(address);
  const mine = playing = { audio, address };
  try {
    await new Promise<void>((resolve, reject) => {
      for (const end of ['ended', 'pause']) audio.addEventListener(end, () => resolve());
      audio.addEventListener('error', () => reject(new Error('The sound can’t be played.')));
      audio.play().catch(reject);
    });
  } finally {
    if (playing === mine) stopSound();
  }
}
