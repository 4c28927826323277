// The menu of a routine: actions on the whole routine.

import { useState } from 'react';
import { mayEditRoutine, useServices } from '../services/services';
import { keepItems, useKeeping } from '../status/KeptBadge';
import type { Routine } from '../sync/records';
import { Confirm } from '../ui/Confirm';
import { MenuButton } from '../ui/MenuButton';
import { words } from '../words/words';
import { deleteRoutine, duplicateRoutine, pinRoutine, whatGoesWith } from './actions';
import { exportSheet } from './lazy';
import { isPinned } from './routineSearch';

/** The button with its menu, and the sheets that the menu opens. */
export function RoutineMenu({ routine }: { routine: Routine }): JSX.Element {
  const services = useServices();
  const { navigation, library } = services;
  const keeping = useKeeping(routine.id);
  const [open, setOpen] = useState<'export' | 'delete' | null>(null);
  const close = (): void => setOpen(null);
  const mayEdit = (): boolean => mayEditRoutine(library, routine.id);
  const openThere = (sheet: 'edit' | 'links' | 'share'): void => (
    navigation.go({ page: 'routine', routineId: routine.id, partId: null }, { thenOpen: sheet })
  );
  return (
    <>
      <MenuButton
        label={words.common.moreFor(routine.title)} menuLabel={routine.title} testId="routine-menu"
        items={() => [
          {
            label: words.common.edit, icon: 'edit', testId: 'routine-edit',
            run: () => openThere('edit'),
          },
          {
            label: words.routines.progress, icon: 'progress', testId: 'routine-progress',
            run: () => navigation.go({ page: 'progress', routineId: routine.id }),
          },
          {
            label: isPinned(routine) ? words.routines.unpin : words.routines.pin, icon: 'pin', testId: 'routine-pin',
            run: () => pinRoutine(library, routine),
          },
          ...keepItems(services, routine.id, keeping),
          ...(mayEdit() ? [
            { label: words.common.duplicate, icon: 'copy' as const, testId: 'routine-duplicate', run: () => duplicateRoutine(library, routine) },
          ] : []),
          ...(library.status.people ? [{
            label: words.people.share, icon: 'people' as const, testId: 'routine-share', run: () => openThere('share'),
          }] : []),
          ...(mayEdit() ? [{
            label: words.common.shareByLink, icon: 'share' as const, testId: 'routine-links', run: () => openThere('links'),
          }] : []),
          { label: words.common.export, icon: 'download', testId: 'routine-export', run: () => setOpen('export') },
          ...(mayEdit() ? [{
            label: words.common.delete, icon: 'trash' as const, isDangerous: true, testId: 'routine-delete',
            run: () => setOpen('delete'),
          }] : []),
        ]}
      />
      {open === 'export' && <exportSheet.Page routine={routine} onClose={close} />}
      {open === 'delete' && (
        <Confirm
          title={words.routines.delete(routine.title)} action={words.common.delete} onClose={close}
          onConfirm={() => deleteRoutine(library, routine)}
        >
          {[whatGoesWith(library, routine), words.routines.songsStay].join(' ').trim()}
        </Confirm>
      )}
    </>
  );
}
