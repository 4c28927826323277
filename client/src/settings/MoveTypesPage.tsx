// All move types: search, create, edit and delete.

import { useDeferredValue, useMemo, useState } from 'react';
import { useFromLibrary, useOverlay, useServices } from '../services/services';
import { useEditable } from '../services/useEditable';
import { Tip } from '../guide/Tip';
import type { MoveType } from '../sync/records';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { NoResults } from '../ui/NoResults';
import { SearchField } from '../ui/SearchField';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
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
  const types = useEditable('moveType');
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
  const { settings } = lateWords;
  const type = open ? types.find(({ id }) => id === open.id) : undefined;
  const remove = (gone: MoveType): void => {
    if ((counts.get(gone.id) ?? 0) > 0) {
      setOpen({ kind: 'delete', id: gone.id });
      return;
    }
    close();
    const undo = deleteMoveType(library, gone, { kind: 'delete' });
    toasts.say(settings.deleted(gone.name), { action: { label: words.common.undo, run: undo } });
  };

  return (
    <SettingsSubpage
      title={settings.moveTypes}
      action={types.length > 0 && <Button icon="plus" data-testid="new-type" onClick={add}>{settings.newTypeButton}</Button>}
    >
      {types.length === 0
        ? (
          <NothingYet action={<Button kind="primary" icon="plus" data-testid="new-type" onClick={add}>{settings.makeFirstType}</Button>}>
            {settings.noTypesYet}
          </NothingYet>
        )
        : (
          <>
            <Tip name="move-types">{settings.typesTip}</Tip>
            <SearchField
              label={settings.searchTypes} value={search} found={settings.typeCount(shown.length)}
              testId="types-search" onChange={setSearch}
            />
            {shown.length === 0 && (
              <NoResults what={settings.noMoveType} search={lookedFor} onClear={() => setSearch('')} />
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
                      <small>{settings.moveCount(counts.get(each.id) ?? 0)}</small>
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
      {open?.kind === 'delete' && type && <DeleteMoveType type={type} types={types.filter(({ space }) => space === type.space)} onClose={close} />}
    </SettingsSubpage>
  );
}
