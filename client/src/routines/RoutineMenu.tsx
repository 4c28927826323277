// The menu of a routine: actions on the whole routine.

import { useState } from 'react';
import { useServices } from '../services/services';
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
  return (
    <>
      <MenuButton
        label={words.common.moreFor(routine.title)} menuLabel={routine.title} testId="routine-menu"
        items={() => [
          {
            label: words.common.edit, icon: 'edit', testId: 'routine-edit',
            run: () => navigation.go({ page: 'routine', routineId: routine.id, partId: null }, { thenOpen: 'edit' }),
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
          { label: words.common.duplicate, icon: 'copy', testId: 'routine-duplicate', run: () => duplicateRoutine(library, routine) },
          {
            label: words.common.shareByLink, icon: 'share', testId: 'routine-links',
            run: () => navigation.go({ page: 'routine', routineId: routine.id, partId: null }, { thenOpen: 'links' }),
          },
          { label: words.common.export, icon: 'download', testId: 'routine-export', run: () => setOpen('export') },
          { label: words.common.delete, icon: 'trash', isDangerous: true, testId: 'routine-delete', run: () => setOpen('delete') },
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
