// All move types: search, create, edit and delete.

import { useDeferredValue, useMemo, useState } from 'react';
import { useFromLibrary, useOverlay, useServices } from '../services/services';
import { Tip } from '../guide/Tip';
import type { MoveType } from '../sync/records';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { NoResults } from '../ui/NoResults';
import { SearchField } from '../ui/SearchField';
import { plural } from '../ui/time';
import { toasts } from '../ui/toasts';
import { DeleteMoveType } from './DeleteMoveType';
import { deleteMoveType } from './moveTypeActions';
import { searchFor } from '../ui/search';
import { MoveTypeSheet } from './MoveTypeSheet';
import { NothingYet, SettingsSubpage } from './SettingsSubpage';

/** The type that is being edited or deleted. */
type Open = { readonly kind: 'edit' | 'delete'; readonly id: string } | null;

/** The page. */
export function MoveTypesPage(): JSX.Element {
  const { library } = useServices();
  const types = useFromLibrary((current) => current.all('moveType'));
  const moves = useFromLibrary((current) => current.all('move'));
  const [search, setSearch] = useState('');
  const lookedFor = useDeferredValue(search);
  const [isAdding, add, closeNew] = useOverlay('new-type');
  const [open, setOpen] = useState<Open>(null);
  const counts = useMemo(() => {
    const byType = new Map<string, number>();
    for (const { moveType } of moves) if (moveType) byType.set(moveType, (byType.get(moveType) ?? 0) + 1);
    return byType;
  }, [moves]);
  const shown = useMemo(
    () => searchFor(types, lookedFor, (type) => type.name, (type) => type.abbreviation ?? ''),
    [types, lookedFor],
  );
  const close = (): void => setOpen(null);
  const type = open ? types.find(({ id }) => id === open.id) : undefined;
  const remove = (gone: MoveType): void => {
    if ((counts.get(gone.id) ?? 0) > 0) {
      setOpen({ kind: 'delete', id: gone.id });
      return;
    }
    close();
    const undo = deleteMoveType(library, gone, { kind: 'delete' });
    toasts.say(`“${gone.name}” is deleted.`, { action: { label: 'Undo', run: undo } });
  };

  return (
    <SettingsSubpage
      title="Move types"
      action={types.length > 0 && <Button icon="plus" data-testid="new-type" onClick={add}>New<span className="only-spoken"> type</span></Button>}
    >
      {types.length === 0
        ? (
          <NothingYet action={<Button kind="primary" icon="plus" data-testid="new-type" onClick={add}>Make the first type</Button>}>
            There are no move types yet. Types sort your moves: steps, turns, freezes, whatever you do.
          </NothingYet>
        )
        : (
          <>
            <Tip name="move-types">A type’s colour marks its moves everywhere, also in the overview.</Tip>
            <SearchField
              label="Search move types" value={search} found={plural(shown.length, 'type')}
              testId="types-search" onChange={setSearch}
            />
            {shown.length === 0 && (
              <NoResults what="No move type" search={lookedFor} onClear={() => setSearch('')} />
            )}
            <ul className="rows" hidden={shown.length === 0} data-testid="type-rows">
              {shown.map((each) => (
                <li key={each.id}>
                  <button
                    type="button" className="row" data-testid="type-row" aria-haspopup="dialog"
                    onClick={() => setOpen({ kind: 'edit', id: each.id })}
                  >
                    <span className="swatch" style={each.colour ? { backgroundColor: each.colour } : undefined} />
                    <span className="row-text">
                      <b dir="auto">{each.name}</b>
                      <small>{plural(counts.get(each.id) ?? 0, 'move')}</small>
                    </span>
                    <span className="row-aside" dir="auto">{each.abbreviation}</span>
                    <Icon name="edit" size={20} />
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
      {isAdding && <MoveTypeSheet type={null} onClose={closeNew} />}
      {open?.kind === 'edit' && type && <MoveTypeSheet type={type} onClose={close} onDelete={() => remove(type)} />}
      {open?.kind === 'delete' && type && <DeleteMoveType type={type} types={types} onClose={close} />}
    </SettingsSubpage>
  );
}
