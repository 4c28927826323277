// How each system installs a certificate authority, step by step.

import type { Platform } from '../ui/platform';

/** The steps for one system. */
export interface InstallGuide {
  readonly platform: Platform;
  readonly name: string;
  readonly steps: readonly string[];
  readonly note?: string;
}

const firefox = 'Firefox keeps a list of its own: in its settings search for “certificates”, press “View Certificates”, then under “Authorities” import the file and let it identify websites.';

/** All guides. */
export const guides: readonly InstallGuide[] = [
  {
    platform: 'ios',
    name: 'iPhone and iPad',
    steps: [
      'In Safari, press “Download the certificate” above, and allow the profile to be downloaded.',
      'Open the Settings app, tap “Profile Downloaded” near the top, then “Install”.',
      'In Settings, open General, About, and at the very end “Certificate Trust Settings”. Switch Segmance on. Without this full trust nothing changes.',
      'Close this tab, and open Segmance again.',
    ],
    note: 'For the home screen, add it there before you pair it: tap the share symbol, then “Add to Home Screen”, open it there, and pair it inside. What Safari knows stays in Safari.',
  },
  {
    platform: 'android',
    name: 'Android',
    steps: [
      'Press “Download the certificate” above.',
      'Open the Settings app and search for “CA certificate” (most often under Security, More security settings, Encryption & credentials, Install a certificate).',
      'Tap “CA certificate”, then “Install anyway”, and choose the downloaded file segmance.crt.',
      'Close Chrome’s tab, and open Segmance again.',
    ],
    note: 'Android shows from then on that a certificate of your own is installed. Use Chrome: Firefox on Android does not look at these certificates.',
  },
  {
    platform: 'mac',
    name: 'Mac',
    steps: [
      'Download the certificate, and open it: Keychain Access takes it.',
      'Find Segmance in Keychain Access, open it, and under “Trust” choose “Always Trust”.',
      'Load this page again.',
    ],
    note: firefox,
  },
  {
    platform: 'windows',
    name: 'Windows',
    steps: [
      'Download the certificate, open it, and press “Install Certificate”.',
      'Choose “Current User”, then “Place all certificates in the following store”, and there “Trusted Root Certification Authorities”.',
      'Confirm, close the browser, and open Segmance again.',
    ],
    note: firefox,
  },
  {
    platform: 'linux',
    name: 'Linux and ChromeOS',
    steps: [
      'Download the certificate.',
      'In Chrome or Chromium, open chrome://certificate-manager (in older versions chrome://settings/certificates, “Authorities”), and import the file as a trusted authority for websites.',
      'Load this page again.',
    ],
    note: firefox,
  },
];
