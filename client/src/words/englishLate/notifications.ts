// English: the later words of `notifications`.

/** The section `notifications`. */
export const notifications = {
  title: 'Notifications',
  notify: 'Notify this device of comments',
  off: 'No',
  mentions: 'When I am mentioned',
  all: 'Of all comments',
  about: 'They come through the service of your browser’s maker, encrypted: it learns when, not what. They may show on a locked screen.',
  isOn: 'On',
  isOff: 'Off',
  notAllowed: 'Notifications were not allowed, so this device gets none.',
  serviceFailed: 'The notification service of this browser can’t be reached.',
  offLater: 'This device gets no more notifications. The server is told when it can be reached.',
  obstacles: {
    isOff: 'The server sends no notifications at the moment. Who runs it has switched them off.',
    ownMachine: 'This is the browser of the machine that Segmance runs on. Only paired devices can be notified.',
    needsInstalling: 'On iPhone and iPad, notifications need the app on the home screen: add it there, and open it from there.',
    untrusted: 'This browser doesn’t trust the server’s certificate, so it can’t be notified. Install the certificate first, or use an address that starts with https and a name.',
    unsupported: 'This browser can’t show notifications.',
    denied: 'Notifications of this site are blocked in this browser. Allow them in its settings for this site, then open this page again.',
  },
};
