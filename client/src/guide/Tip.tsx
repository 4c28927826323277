// A tip next to the element it explains, shown until it is dismissed.

import { useRef, type ReactNode } from 'react';
import { useFromLibrary, useLibraryStatus, useServices, useSetting } from '../services/services';
import { IconButton } from '../ui/Button';
import { remember, remembered } from '../ui/device';
import { Icon } from '../ui/Icon';
import { words } from '../words/words';
import { seenTips, withTip, type TipName } from './seenTips';
import { lastTipText, mayAppear, parseLastTip } from './tipTurn';
import '../ui/tip.css';
import './tip.css';

/** Shows a tip if it was not seen yet on any device, and if it is time for one. */
export function Tip({ name, children }: { name: TipName; children: ReactNode }): JSX.Element | null {
  const { library } = useServices();
  const { loaded } = useLibraryStatus();
  const seen = useSetting('tipsSeen');
  const hasPlayed = useFromLibrary((current) => current.all('routine').some((routine) => routine.lastPractisedAt));
  /** Decided once: a tip that came while somebody reads or plays would move what is below it. */
  const isMine = useRef<boolean | null>(null);
  if (!loaded) return null;
  if (isMine.current === null) {
    const last = parseLastTip(remembered('tip'));
    isMine.current = mayAppear(name, Date.now(), { seen, last, hasPlayed });
    if (isMine.current && last?.name !== name) remember('tip', lastTipText({ name, at: Date.now() }));
  }
  if (!isMine.current || seenTips(seen).includes(name)) return null;
  return (
    <aside className="tip" aria-label={words.guide.tip} data-testid={`tip-${name}`}>
      <Icon name="spark" size={20} />
      <p>{children}</p>
      <IconButton
        icon="close" label={words.guide.gotIt} data-testid="tip-close"
        onClick={() => library.set('tipsSeen', withTip(seen, name))}
      />
    </aside>
  );
}
