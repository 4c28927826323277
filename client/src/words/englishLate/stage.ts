// English: the later words of `stage`.

/** The section `stage`. */
export const stage = {
  now: 'Now: ',
  next: 'Next: ',
  tapToPlay: 'Tap anywhere to play or pause',
  mirror: 'Mirror the view',
  light: 'Light',
  dark: 'Dark',
};
