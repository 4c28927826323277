// Adding a device: it scans a code that pairs it. What to do about a warning of its browser is shown on request.

import { Button, IconButton } from '../ui/Button';
import { copyAddress } from '../ui/clipboard';
import { Icon } from '../ui/Icon';
import { Named } from '../ui/Named';
import { QRCode } from '../ui/QRCode';
import { Sheet } from '../ui/Sheet';
import type { Person } from '../people/api';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import type { Pairing } from './api';
import { usePairing } from './usePairing';
import { fingerprintPairs, timeLeft } from './format';

/** The certificate authority of this installation; null if every device trusts the certificate already. */
type Authority = { readonly fingerprint: string } | null;

interface AddDeviceProps {
  readonly authority: Authority;
  /** Whose device it becomes, if not the caller's. */
  readonly person?: Person;
  readonly onPaired: () => void;
  readonly onClose: () => void;
}

/** The sheet with the code. */
export function AddDevice({ authority, person, onPaired, onClose }: AddDeviceProps): JSX.Element {
  const { pairing, problem, left, paired, renew } = usePairing(onPaired, person?.id);
  const isPaired = paired !== null;
  const { devices } = lateWords;
  return (
    <Sheet
      title={isPaired ? devices.pairedTitle : person ? devices.addFor(person.name) : devices.add} onClose={onClose} testId="add-device-sheet"
      footer={footer()}
    >
      {isPaired && (
        <div className="paired" role="status" data-testid="paired">
          <Icon name="check" size={64} />
          <p><Named message={devices.isPaired} name={paired} isBold /></p>
        </div>
      )}
      {!isPaired && problem !== null && <p className="problem" role="alert" data-testid="pairing-problem">{problem}</p>}
      {!isPaired && problem === null && pairing === null && <div className="qr-code skeleton" aria-busy="true" />}
      {!isPaired && pairing !== null && (
        <div className="add-step" data-testid="pair-step">
          <p className="add-lead" dir="auto">{person ? devices.scanWith(person.name) : devices.scan}</p>
          {left > 0
            ? (
              <>
                {pairing.code && <QRCode code={pairing.code} label={devices.pairingCode} />}
                <p className="add-left" data-testid="pairing-left">{devices.validFor(timeLeft(left))}</p>
                <Address text={pairing.address} testId="pairing-address" />
              </>
            )
            : <p className="add-over" role="status" data-testid="pairing-over">{devices.expired}</p>}
          {pairing.installAddress !== null && <Warning pairing={pairing} authority={authority} />}
        </div>
      )}
    </Sheet>
  );

  function footer(): JSX.Element {
    if (isPaired) {
      return (
        <>
          <Button onClick={() => void renew()} data-testid="add-another">{devices.addAnother}</Button>
          <Button kind="primary" onClick={onClose} data-testid="paired-done">{words.common.done}</Button>
        </>
      );
    }
    if (problem !== null) return <Button icon="retry" onClick={() => void renew()}>{words.common.retry}</Button>;
    return (
      <Button kind={left > 0 ? 'plain' : 'primary'} icon="retry" onClick={() => void renew()} data-testid="new-code">
        {devices.newCode}
      </Button>
    );
  }
}

/** Why a phone warns about the connection, and where it learns to trust it. */
function Warning({ pairing, authority }: { pairing: Pairing; authority: Authority }): JSX.Element {
  const { devices } = lateWords;
  return (
    <details className="add-warning" data-testid="trust-step">
      <summary>{devices.warning}</summary>
      <div className="add-step">
        <p className="add-lead">{devices.warningExplained}</p>
        {pairing.installCode && <QRCode code={pairing.installCode} label={devices.installCode} />}
        <Address text={pairing.installAddress ?? ''} testId="install-address" />
        {authority && (
          <div className="add-lead">
            <p>{devices.fingerprintSame}</p>
            <code className="fingerprint">{fingerprintPairs(authority.fingerprint)}</code>
          </div>
        )}
      </div>
    </details>
  );
}

function Address({ text, testId }: { text: string; testId: string }): JSX.Element {
  const { devices } = lateWords;
  return (
    <div className="add-address">
      <p>{devices.orOpen}</p>
      <div>
        <code data-testid={testId}>{text}</code>
        <IconButton icon="copy" label={devices.copyAddress} data-testid="copy-address" onClick={() => copyAddress(text)} />
      </div>
    </div>
  );
}
