// Whether a routine is on this device: a badge on its card, and items for its menu.

import { useSyncExternalStore } from 'react';
import { useServices, type Services } from '../services/services';
import { Icon } from '../ui/Icon';
import type { MenuItem } from '../ui/Menu';
import { toasts } from '../ui/toasts';
import { fileSize } from '../ui/text';
import { percentText } from '../words/format';
import { words } from '../words/words';
import { needsOfAll } from '../offline/needs';
import type { Keeping } from '../offline/keeper';
import type { OfflineWork } from '../offline/work';
import './kept.css';

/** Reads the offline state of a routine; undefined if it is not to be stored. */
export function useKeeping(routineId: string): Keeping | undefined {
  const { offline } = useServices();
  return useSyncExternalStore(offline.subscribe, () => offline.state.kept.get(routineId));
}

/** Describes the state in words. */
export function keepingWords({ state, bytes, total }: Keeping): string {
  if (state === 'kept') return words.status.kept;
  const percent = total > 0 ? Math.floor((bytes / total) * 100) : 0;
  return state === 'keeping'
    ? words.status.keeping(percentText(Math.min(99, percent))) : words.status.partlyKept;
}

/** The badge. */
export function KeptBadge({ routineId }: { routineId: string }): JSX.Element | null {
  const keeping = useKeeping(routineId);
  if (!keeping) return null;
  return (
    <span className={`kept-badge is-${keeping.state}`} data-testid="kept-badge" data-state={keeping.state}>
      <Icon name="device" size={16} />
      <span>{keepingWords(keeping)}</span>
    </span>
  );
}

/** The lines of a routine's menu. */
export function keepItems(services: Services, routineId: string, keeping: Keeping | undefined): MenuItem[] {
  const { status } = words;
  const item = (
    label: string, testId: string, act: (work: OfflineWork) => Promise<void> | undefined,
  ): MenuItem => ({
    label, icon: 'device', testId,
    run: () => {
      services.offline.work().then(act).catch(() => (
        toasts.say(status.keepFailed, { kind: 'problem' })
      ));
    },
  });
  if (!keeping) {
    const needs = needsOfAll(services.library.parts(routineId), services.library);
    // Like the progress: optional files may never arrive.
    const bytes = needs.reduce((sum, need) => sum + (need.isExtra ? 0 : need.bytes), 0);
    const label = bytes > 0 ? status.keepAbout(fileSize(bytes)) : status.keep;
    return [item(label, 'routine-keep', (work) => work.keep(routineId))];
  }
  return [
    ...(keeping.state === 'keeping'
      ? [item(status.pauseKeeping, 'routine-pause', (work) => work.keeper?.pause(routineId))] : []),
    ...(keeping.state === 'partly' ? [item(status.resumeKeeping, 'routine-keep', (work) => work.keep(routineId))] : []),
    item(status.stopKeeping, 'routine-release', (work) => work.keeper?.release(routineId)),
  ];
}
