// A tip next to the element it explains, shown until it is dismissed.

import type { ReactNode } from 'react';
import { useLibraryStatus, useServices, useSetting } from '../services/services';
import { IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { seenTips, withTip, type TipName } from './seenTips';
import '../ui/tip.css';
import './tip.css';

/** Shows a tip, if it was not seen yet on any device. */
export function Tip({ name, children }: { name: TipName; children: ReactNode }): JSX.Element | null {
  const { library } = useServices();
  const { loaded } = useLibraryStatus();
  const seen = useSetting('tipsSeen');
  if (!loaded || seenTips(seen).includes(name)) return null;
  return (
    <aside className="tip" aria-label={`Tip: ${name.replace('-', ' ')}`} data-testid={`tip-${name}`}>
      <Icon name="spark" size={20} />
      <p>{children}</p>
      <IconButton
        icon="close" label="Got it" data-testid="tip-close"
        onClick={() => library.set('tipsSeen', withTip(seen, name))}
      />
    </aside>
  );
}
