// The hint about adding the app to the home screen: once, on a later visit, and always in the
// settings.

import { useSyncExternalStore } from 'react';
import { useServices } from '../services/services';
import { Button, IconButton } from '../ui/Button';
import { isStandalone, remember, remembered } from '../ui/device';
import { Icon } from '../ui/Icon';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import '../ui/tip.css';
import { installWay, isHintDue, type InstallWay } from './installing';

const hintName = 'installHint';
const lastVisitName = 'lastVisit';

/** Counts a visit; returns whether the hint is due. */
export function isTimeForHint(now: number): boolean {
  const first = Number(remembered(lastVisitName) ?? NaN);
  if (!Number.isFinite(first)) remember(lastVisitName, String(now));
  return isHintDue(now, first, remembered(hintName) !== null);
}

/** Returns the current way to the home screen. */
export function useInstallWay(): InstallWay {
  const { offline } = useServices();
  const canPrompt = useSyncExternalStore(offline.subscribe, () => offline.installPrompt !== null);
  return installWay({ browser: navigator, isStandalone: isStandalone(), canPrompt });
}

/** The instructions: a button if the browser can ask, otherwise a sentence. */
export function InstallSteps({ way }: { way: InstallWay }): JSX.Element | null {
  const { offline } = useServices();
  if (way.kind === 'steps') return <span>{way.sentence}</span>;
  if (way.kind !== 'prompt') return null;
  const install = (): void => {
    const { installPrompt } = offline;
    // It can be used once.
    offline.installPrompt = null;
    void installPrompt?.prompt().then(() => offline.update({}));
  };
  return <Button icon="download" data-testid="install" onClick={install}>{lateWords.install.install}</Button>;
}

/** The hint above the list of routines. */
export function InstallHint(): JSX.Element | null {
  const { offline } = useServices();
  const way = useInstallWay();
  if (way.kind === 'installed' || way.kind === 'none') return null;
  return (
    <aside className="tip" aria-label={lateWords.install.hintTitle} data-testid="install-hint">
      <Icon name="spark" size={20} />
      <p>
        {lateWords.install.hint} <InstallSteps way={way} />
      </p>
      <IconButton
        icon="close" label={words.guide.gotIt} data-testid="install-hint-close"
        onClick={() => {
          remember(hintName, 'seen');
          offline.update({ Hint: null });
        }}
      />
    </aside>
  );
}
