// Reports features that the browser withholds during practice, with a remedy. It lies over the
// page's lower edge, so that nothing moves, until it is dismissed permanently on this device.

import { useState } from 'react';
import { useFromPlayer } from '../services/services';
import { IconButton } from '../ui/Button';
import { remember, remembered } from '../ui/device';
import { Icon } from '../ui/Icon';
import './withheld.css';

const notes = {
  screen: ['moon', 'This browser can’t keep the screen on: set a longer screen timeout.'],
  keys: ['keyboard', 'Media keys and the lock screen don’t work in this browser. Play and pause here.'],
} as const;
type Withheld = keyof typeof notes;

/** A note over the player while it plays: one at a time, the most important first. */
export function WithheldNote({ withheld }: { withheld: readonly Withheld[] }): JSX.Element | null {
  const isPlaying = useFromPlayer((snapshot) => snapshot.wantsToPlay);
  const [dismissed, setDismissed] = useState<readonly Withheld[]>([]);
  const name = withheld.find((each) => (
    !dismissed.includes(each) && remembered(`withheld.${each}`) === null
  ));
  if (!isPlaying || name === undefined) return null;
  const [icon, sentence] = notes[name];
  return (
    <aside className="withheld" role="status" data-testid={`withheld-${name}`}>
      <Icon name={icon} size={20} />
      <p>{sentence}</p>
      <IconButton
        icon="close" label="Don’t say this again" data-testid="withheld-close"
        onClick={() => {
          remember(`withheld.${name}`, 'seen');
          setDismissed([...dismissed, name]);
        }}
      />
    </aside>
  );
}
