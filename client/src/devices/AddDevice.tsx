// Adding a device: first it installs this Segmance's certificate, then it scans a code that pairs
// it.

import { useState } from 'react';
import { Button, IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Sheet } from '../ui/Sheet';
import { copyAddress } from './clipboard';
import { QRCode } from './QRCode';
import { usePairing } from './usePairing';
import { fingerprintPairs, timeLeft } from './format';

interface AddDeviceProps {
  /** Null if every device trusts the certificate already. */
  readonly authority: { readonly fingerprint: string } | null;
  readonly onPaired: () => void;
  readonly onClose: () => void;
}

/** The sheet with both steps. */
export function AddDevice({ authority, onPaired, onClose }: AddDeviceProps): JSX.Element {
  const [step, setStep] = useState<'trust' | 'pair'>(authority === null ? 'pair' : 'trust');
  const { pairing, problem, left, paired, renew } = usePairing(onPaired);
  const isPaired = paired !== null;
  const trusts = pairing !== null && pairing.installAddress === null;
  const shown = trusts ? 'pair' : step;
  return (
    <Sheet
      title={isPaired ? 'Paired' : 'Add a device'} onClose={onClose} testId="add-device-sheet"
      footer={footer()}
    >
      {isPaired && (
        <div className="paired" role="status" data-testid="paired">
          <Icon name="check" size={64} />
          <p><b><bdi>{paired}</bdi></b> is paired</p>
        </div>
      )}
      {!isPaired && problem !== null && <p className="problem" role="alert" data-testid="pairing-problem">{problem}</p>}
      {!isPaired && problem === null && pairing === null && <div className="qr-code skeleton" aria-busy="true" />}
      {!isPaired && pairing !== null && shown === 'trust' && (
        <div className="add-step" data-testid="trust-step">
          <p className="add-lead">
            <b>Step 1 of 2.</b> Once on each phone: open this page there, and follow what it says. The
            phone warns at first, because it does not know this Segmance yet.
          </p>
          {pairing.installCode && <QRCode code={pairing.installCode} label="Code that opens the page for installing" />}
          <Address text={pairing.installAddress ?? ''} />
          {authority && (
            <details>
              <summary>Compare the fingerprint</summary>
              <code className="fingerprint">{fingerprintPairs(authority.fingerprint)}</code>
            </details>
          )}
        </div>
      )}
      {!isPaired && pairing !== null && shown === 'pair' && (
        <div className="add-step" data-testid="pair-step">
          <p className="add-lead">
            {!trusts && <b>Step 2 of 2. </b>}
            Scan this with the phone’s camera. It works once.
          </p>
          {left > 0
            ? (
              <>
                {pairing.code && <QRCode code={pairing.code} label="Code that pairs a device" />}
                <p className="add-left">
                  Good for <span className="time" data-testid="pairing-left">{timeLeft(left)}</span> more
                </p>
                <Address text={pairing.address} />
              </>
            )
            : <p className="add-over" role="status" data-testid="pairing-over">This code is too old now.</p>}
        </div>
      )}
    </Sheet>
  );

  function footer(): JSX.Element {
    if (isPaired) {
      return (
        <>
          <Button onClick={() => void renew()} data-testid="add-another">Add another</Button>
          <Button kind="primary" onClick={onClose} data-testid="paired-done">Done</Button>
        </>
      );
    }
    if (problem !== null) return <Button icon="retry" onClick={() => void renew()}>Try again</Button>;
    if (shown === 'trust') {
      return (
        <Button
          kind="primary" data-testid="trust-done"
          onClick={() => {
            setStep('pair');
            // Reading the instructions takes time: the new code is valid for the full five minutes.
            void renew();
          }}
        >
          Done, show the code
        </Button>
      );
    }
    return (
      <>
        {!trusts && <Button data-testid="trust-again" onClick={() => setStep('trust')}>Back to step 1</Button>}
        <Button kind={left > 0 ? 'plain' : 'primary'} icon="retry" onClick={() => void renew()} data-testid="new-code">
          Show a new code
        </Button>
      </>
    );
  }
}

function Address({ text }: { text: string }): JSX.Element {
  return (
    <div className="add-address">
      <p>Or open this address in its browser:</p>
      <div>
        <code data-testid="pairing-address">{text}</code>
        <IconButton icon="copy" label="Copy the address" data-testid="copy-address" onClick={() => copyAddress(text)} />
      </div>
    </div>
  );
}
