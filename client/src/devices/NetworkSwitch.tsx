// The switch that lets other devices reach this Segmance; only for the owner.

import { useState } from 'react';
import { sentenceOf, switchNetwork, type Network } from './api';
import { Switch } from '../ui/Switch';
import { lateWords } from '../words/lateWords';
import type { Asked } from './useAsked';
import { fingerprintPairs } from './format';

/** The group with the switch and, while it is on, the addresses. */
export function NetworkSwitch({ network }: { network: Asked<Network> }): JSX.Element {
  /** The requested state, until the server has applied it. */
  const [wanted, setWanted] = useState<boolean | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const { value } = network;
  const isOn = value?.isOn === true;
  const turn = async (): Promise<void> => {
    setWanted(!isOn);
    setFailure(null);
    try {
      network.take(await switchNetwork(!isOn));
    } catch (problem) {
      setFailure(sentenceOf(problem));
    }
    setWanted(null);
  };
  const { devices } = lateWords;
  const problem = failure ?? value?.problem ?? network.problem;
  return (
    <section className="settings-group" aria-label={devices.network}>
      <h2>{devices.network}</h2>
      <Switch
        label={devices.allow}
        hint={devices.allowHint}
        isOn={wanted ?? isOn} isDisabled={value === null || wanted !== null} isBusy={wanted !== null}
        testId="network-switch" onChange={() => void turn()}
      />
      {problem !== null && <p className="problem" role="alert" data-testid="network-problem">{problem}</p>}
      {isOn && value !== null && (
        <div className="network-addresses" data-testid="network-addresses">
          <p>{value.addresses.length > 0 ? devices.addresses : devices.noNetwork}</p>
          <ul>
            {value.addresses.map((address) => <li key={address}><code>{address}</code></li>)}
          </ul>
          {value.authority !== null && (
            <details>
              <summary>{devices.fingerprint}</summary>
              <p>{devices.fingerprintSame}</p>
              <code className="fingerprint">{fingerprintPairs(value.authority.fingerprint)}</code>
            </details>
          )}
        </div>
      )}
    </section>
  );
}
