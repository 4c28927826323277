// English: the later words of `install`.

/** The section `install`. */
export const install = {
  hintTitle: 'On the home screen',
  hint: 'Put Segmance on your home screen: it opens like an app, works offline, and the browser keeps your data.',
  install: 'Install Segmance',
  ios: 'Tap the share symbol of the browser, then “Add to Home Screen”. Open it there and pair it there, too: on the home screen it has its own storage.',
  androidFirefox: 'Open the menu of Firefox (⋮), then tap “Install” or “Add to Home screen”.',
  android: 'Open the menu of the browser (⋮), then tap “Install app” or “Add to Home screen”.',
  desktop: 'Press the install symbol at the end of the address bar, or “Install Segmance” in the browser’s menu.',
  safari: 'In Safari’s menu “File”, choose “Add to Dock”.',
  scanInApp: 'Scan the code with the camera: it opens in the browser. Press “Copy pairing address” there, and come back.',
  scanWithPhone: 'Scan the code with this phone’s camera.',
  scanWithComputer: 'Scan the code with this computer’s camera.',
  pasteInApp: 'Paste the pairing address, or type the address below the code',
  paste: 'No camera? Paste or type the address below the code',
  beforePairing: 'If you want Segmance on the home screen, do not pair here: tap the share symbol, then “Add to Home Screen”, open Segmance there, and paste this pairing address. It has its own storage there.',
};
