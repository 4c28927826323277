// The name of the sound output, as far as the browser tells it.
//
// Chromium lists an output "default" that belongs to the same group as the device itself; it tells names once the page
// may use the microphone. Firefox lists outputs that the page was given, and marks none as the default. WebKit lists
// outputs while the page uses the microphone, and GTK's none.

/** Returns the name of the output that plays by default; empty if the browser does not tell. */
export async function outputName(): Promise<string> {
  try {
    const devices = await navigator.mediaDevices.enumerateDevices();
    return nameOfDefault(devices.filter(({ kind }) => kind === 'audiooutput'));
  } catch {
    return '';
  }
}

/** Chooses the default of the outputs; the name of the device itself, since "Default – …" depends on the language. */
export function nameOfDefault(outputs: readonly Pick<MediaDeviceInfo, 'deviceId' | 'groupId' | 'label'>[]): string {
  const standard = outputs.find(({ deviceId }) => deviceId === 'default');
  if (!standard) return outputs.length === 1 ? outputs[0]?.label ?? '' : '';
  const device = outputs.find(({ deviceId, groupId }) => (
    deviceId !== 'default' && deviceId !== 'communications' && groupId !== '' && groupId === standard.groupId
  ));
  return device?.label || standard.label;
}
