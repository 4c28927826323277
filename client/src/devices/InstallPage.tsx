// How a device learns to trust this Segmance: its authority's certificate, and where each system
// installs it.

import { useEffect, useState } from 'react';
import { apiAddress } from '../apiAddress';
import { useServices } from '../services/services';
import { Button } from '../ui/Button';
import { Icon, Mark } from '../ui/Icon';
import { lateWords } from '../words/lateWords';
import { fetchFingerprint } from './fingerprint';
import { installGuides } from './installGuides';
import { platformOf } from '../ui/platform';
import { findTrust, type Trust } from './trust';
import { fingerprintPairs } from './format';

/** The page. */
export function InstallPage(): JSX.Element {
  const { navigation } = useServices();
  const [trust, setTrust] = useState<Trust>('unknown');
  const [fingerprint, setFingerprint] = useState<string | 'unknown' | null>('unknown');
  useEffect(() => {
    document.title = `${lateWords.devices.trustTitle} · Segmance`;
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
  const texts = lateWords.devices;
  const next = (
    <Button kind={trust === 'trusted' || fingerprint === null ? 'primary' : 'plain'} data-testid="install-on" onClick={() => navigation.go({ page: 'pair', token: '' })}>
      {texts.continuePairing}
    </Button>
  );
  if (fingerprint === null) {
    return (
      <main data-testid="install-none">
        <Mark size={72} />
        <h1>{texts.nothingToInstall}</h1>
        <p>{texts.trustedAsIs}</p>
        {next}
      </main>
    );
  }
  return (
    <main className="install" data-testid="install">
      <Mark size={72} />
      <h1>{texts.trustTitle}</h1>
      <p>{texts.trustWhy}</p>
      {trust !== 'unknown' && (
        <p className={trust === 'trusted' ? 'install-trust is-trusted' : 'install-trust'} role="status" data-testid="install-trust">
          <Icon name={trust === 'trusted' ? 'check' : 'warning'} size={20} />
          {trust === 'trusted' ? texts.trusted : texts.notTrusted}
        </p>
      )}
      <a className="button button-primary" href={apiAddress.authority} download="segmance.crt" data-testid="install-download">
        <Icon name="download" size={20} />
        <span>{texts.download}</span>
      </a>
      <div className="install-guides">
        {[...installGuides()].sort((one, other) => Number(other.platform === own) - Number(one.platform === own)).map((guide) => (
          <details key={guide.platform} open={guide.platform === own} data-testid={`guide-${guide.platform}`}>
            <summary>{guide.name}</summary>
            <ol>{guide.steps.map((step) => <li key={step}>{step}</li>)}</ol>
            <p>{guide.note}</p>
          </details>
        ))}
      </div>
      {fingerprint !== 'unknown' && (
        <details className="install-fingerprint" data-testid="check-fingerprint">
          <summary>{texts.checkFingerprint}</summary>
          <p>{texts.fingerprintWhy}</p>
          <code className="fingerprint" data-testid="install-fingerprint">{fingerprintPairs(fingerprint)}</code>
        </details>
      )}
      {next}
    </main>
  );
}
