// English: the later words of `remote`.

/** The section `remote`. */
export const remote = {
  playElsewhere: 'Play on another device',
  playElsewhereHow: 'The sound comes from there; you control it here. A device is listed while it has a routine open.',
  listFailed: 'The list couldn’t be loaded: the server can’t be reached.',
  nobody: 'No other device has a routine open. Open one there, and it appears here.',
  routineOpen: 'A routine is open',
  playing: 'playing',
  device: 'A device',
  controlledFrom: (names: string) => `Controlled from ${names}`,
  tapToStart: 'Tap once to start the sound',
  playerOn: (name: string) => `Player on ${name}`,
  controlling: (name: string) => `Controlling ${name}`,
  stop: 'Stop controlling',
  choose: 'Choose a device',
  connecting: (name: string) => `Connecting to ${name}…`,
  lost: 'Connection lost. It comes back on its own when there is a network.',
  gone: (name: string) => `${name} has closed its routine.`,
  needsTap: (name: string) => `${name} needs one tap on its screen before the sound can start.`,
  previous: 'Previous part',
  next: 'Next part',
  speed: 'Speed',
  slower: (percent: string) => `Slower by ${percent}`,
  faster: (percent: string) => `Faster by ${percent}`,
  position: 'Position',
  clear: 'Clear A and B',
};
