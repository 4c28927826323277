// How a device learns to trust this Segmance: its authority's certificate, and where each system
// installs it.

import { useEffect, useState } from 'react';
import { apiAddress } from '../apiAddress';
import { useServices } from '../services/services';
import { Button } from '../ui/Button';
import { Icon, Mark } from '../ui/Icon';
import { fetchFingerprint } from './fingerprint';
import { guides } from './installGuides';
import { platformOf } from '../ui/platform';
import { findTrust, type Trust } from './trust';
import { fingerprintPairs } from './format';

/** The page. */
export function InstallPage(): JSX.Element {
  const { navigation } = useServices();
  const [trust, setTrust] = useState<Trust>('unknown');
  const [fingerprint, setFingerprint] = useState<string | 'unknown' | null>('unknown');
  useEffect(() => {
    document.title = 'Trust this Segmance · Segmance';
    const gone = new AbortController();
    void findTrust().then((found) => {
      if (!gone.signal.aborted) setTrust(found);
    });
    fetchFingerprint(gone.signal).then(
      (found) => {
        if (!gone.signal.aborted) setFingerprint(found);
      },
      // Without an answer the guide is still correct; only the fingerprint is missing.
      () => undefined,
    );
    return () => gone.abort();
  }, []);
  const own = platformOf(navigator);
  const next = (
    <Button kind={trust === 'trusted' || fingerprint === null ? 'primary' : 'plain'} data-testid="install-on" onClick={() => navigation.go({ page: 'pair', token: '' })}>
      Trusted: go on to pairing
    </Button>
  );
  if (fingerprint === null) {
    return (
      <main data-testid="install-none">
        <Mark size={72} />
        <h1>Nothing to install</h1>
        <p>This Segmance has a certificate that your device can trust as it is.</p>
        {next}
      </main>
    );
  }
  return (
    <main className="install" data-testid="install">
      <Mark size={72} />
      <h1>Trust this Segmance</h1>
      <p>
        Browsers play sound and keep things offline only where the connection is trusted. This
        Segmance vouches for itself, so each device is told once. The certificate can vouch for
        no other site, only for this machine and for addresses of private networks.
      </p>
      {trust !== 'unknown' && (
        <p className={trust === 'trusted' ? 'install-trust is-trusted' : 'install-trust'} role="status" data-testid="install-trust">
          <Icon name={trust === 'trusted' ? 'check' : 'warning'} size={20} />
          {trust === 'trusted' ? 'This device trusts it.' : 'This device does not trust it yet.'}
        </p>
      )}
      <a className="button button-primary" href={apiAddress.authority} download="segmance.crt" data-testid="install-download">
        <Icon name="download" size={20} />
        <span>Download the certificate</span>
      </a>
      <div className="install-guides">
        {[...guides].sort((one, other) => Number(other.platform === own) - Number(one.platform === own)).map((guide) => (
          <details key={guide.platform} open={guide.platform === own} data-testid={`guide-${guide.platform}`}>
            <summary>{guide.name}</summary>
            <ol>{guide.steps.map((step) => <li key={step}>{step}</li>)}</ol>
            {guide.note && <p>{guide.note}</p>}
          </details>
        ))}
      </div>
      {fingerprint !== 'unknown' && (
        <div className="install-fingerprint">
          <p>
            Its fingerprint (SHA-256), as it came to this device. To be sure that nobody stands in
            between, compare it with Settings → Devices on the owner’s computer.
          </p>
          <code className="fingerprint" data-testid="install-fingerprint">{fingerprintPairs(fingerprint)}</code>
        </div>
      )}
      {next}
    </main>
  );
}
