// Reports features that the browser withholds during practice, with a remedy. It lies over the
// page's lower edge, so that nothing moves, until it is dismissed permanently on this device.

import { useState } from 'react';
import { useFromPlayer } from '../services/services';
import { IconButton } from '../ui/Button';
import { remember, remembered } from '../ui/device';
import { Icon } from '../ui/Icon';
import { words } from '../words/words';
import './withheld.css';

/** What a browser withholds: to keep the screen on, and the media keys. */
type Withheld = 'screen' | 'keys';

/** A note over the player while it plays: one at a time, the most important first. */
export function WithheldNote({ withheld }: { withheld: readonly Withheld[] }): JSX.Element | null {
  const isPlaying = useFromPlayer((snapshot) => snapshot.wantsToPlay);
  const [dismissed, setDismissed] = useState<readonly Withheld[]>([]);
  const name = withheld.find((each) => (
    !dismissed.includes(each) && remembered(`withheld.${each}`) === null
  ));
  if (!isPlaying || name === undefined) return null;
  return (
    <aside className="withheld" role="status" data-testid={`withheld-${name}`}>
      <Icon name={name === 'screen' ? 'moon' : 'keyboard'} size={20} />
      <p>{name === 'screen' ? words.player.screenSleeps : words.player.noMediaKeys}</p>
      <IconButton
        icon="close" label={words.player.hideForGood} data-testid="withheld-close"
        onClick={() => {
          remember(`withheld.${name}`, 'seen');
          setDismissed([...dismissed, name]);
        }}
      />
    </aside>
  );
}
