// English: the later words of `offline`.

/** The section `offline`. */
export const offline = {
  needsRoom: (needed: string, free: string) => `This needs about ${needed}, and only ${free} is free. Free up space in Settings, “Storage”.`,
  noRoom: 'There is no room left for it on this device.',
  continues: 'It continues when the server can be reached.',
  kept: (routine: string) => `“${routine}” is on this device now, and plays without a network.`,
  notOnServer: 'Some of it is not on the server.',
  tooLarge: (file: string, size: string) => `“${file}” (${size}) is too large to be kept here. It uploads only while this page stays open.`,
  keepsNothing: 'This browser keeps nothing here. Open Segmance over https, and not in a private window.',
  versionWaits: 'The new version starts as soon as the browser has finished what the old one asked for. You can go on.',
  wouldBeLost: 'The latest changes can’t be stored in this browser, so a reload would lose them. Free up space first, or wait until they are sent.',
  waitForFile: (file: string) => `“${file}” is still uploading and too large to be kept here. Change to the new version once it has arrived.`,
};
