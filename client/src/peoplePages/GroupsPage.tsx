// Settings → Groups: who is in them, and as what.

import { useCallback, useMemo, useState } from 'react';
import { longestGroupName, makeGroup, type Group, type Person } from '../people/api';
import { spaceName } from '../people/spaceName';
import { useServices } from '../services/services';
import { SettingsSubpage } from '../settings/SettingsSubpage';
import { excess } from '../sync/validation';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { LimitedField } from '../ui/LimitedField';
import { Sheet } from '../ui/Sheet';
import { lateWords } from '../words/lateWords';
import { Asking } from './Asking';
import { attempt } from './attempt';
import { GroupSheet } from './GroupSheet';
import { byId } from './longLists';
import { Searched } from './Searched';
import { useGroups, useMe, usePeople } from './usePeople';

/** The page. */
export function GroupsPage(): JSX.Element {
  const { library } = useServices();
  const people = usePeople();
  const groups = useGroups();
  const me = useMe();
  /** The id of the group that is open, or an empty text for a new one. */
  const [open, setOpen] = useState<string | null>(null);
  const close = (): void => setOpen(null);
  const text = lateWords.people;
  const shown = groups.value?.find(({ id }) => id === open);
  const known = useMemo(() => byId(people.value ?? []), [people.value]);
  const called = useCallback((group: Group): string => nameOf(group, known, me), [known, me]);
  const again = async (): Promise<void> => {
    await groups.again();
    // The groups are known offline, too.
    await library.refresh();
  };
  return (
    <SettingsSubpage title={text.groups}>
      <Asking asked={people.value === null ? people : groups} />
      {people.value !== null && groups.value !== null && (
        <div className="people">
          <p className="note">{text.aboutGroups}</p>
          {groups.value.length === 0 && <p className="note" data-testid="no-groups">{text.noGroups}</p>}
          <Button kind="primary" icon="plus" data-testid="new-group" onClick={() => setOpen('')}>{text.makeGroup}</Button>
          {groups.value.length > 0 && (
            <Searched
              items={groups.value} nameOf={called} rankOf={inOrder} label={text.searchGroups} found={text.groupCount}
              none={text.noGroupFound} testId="groups-search"
            >
              {(rows) => (
                <ul className="rows" data-testid="group-rows">
                  {rows.map((group) => (
                    <li key={group.id}>
                      <button
                        type="button" className="row" data-testid="group-row" aria-haspopup="dialog"
                        onClick={() => setOpen(group.id)}
                      >
                        <Icon name="people" />
                        <span className="row-text">
                          <b dir="auto">{called(group)}</b>
                          <small>{`${text.memberCount(group.members.length)} · ${text.roles[group.role]}`}</small>
                        </span>
                        <Icon name="next" size={20} />
                      </button>
                    </li>
                  ))}
                </ul>
              )}
            </Searched>
          )}
        </div>
      )}
      {open === '' && (
        <NewGroup onClose={close} onMade={(group) => void again().then(() => setOpen(group.id))} />
      )}
      {shown && people.value !== null && (
        <GroupSheet
          key={shown.id} group={shown} title={called(shown)} people={people.value} me={me} onChanged={again} onClose={close}
          onGroup={(group) => groups.take((groups.value ?? []).map((each) => (each.id === group.id ? group : each)))}
        />
      )}
    </SettingsSubpage>
  );
}

/** Returns the name of a group, or with whom its routines are shared. */
export function nameOf({ members, ...group }: Group, people: ReadonlyMap<string, Person>, me: string): string {
  if (group.name !== '') return group.name;
  const others = members.filter(({ person }) => person !== me).map(({ person }) => people.get(person)?.name ?? '');
  return spaceName({ ...group, with: others });
}

/** All have the same rank. */
export const inOrder = (): number => 0;

function NewGroup({ onMade, onClose }: { onMade: (group: Group) => void; onClose: () => void }): JSX.Element {
  const [name, setName] = useState('');
  const [isBusy, setBusy] = useState(false);
  const text = lateWords.people;
  const isUsable = !isBusy && name.trim() !== '' && excess(name, longestGroupName) === null;
  const make = async (): Promise<void> => {
    if (!isUsable) return;
    setBusy(true);
    await attempt(makeGroup(name, []).then(onMade));
    setBusy(false);
  };
  return (
    <Sheet
      title={text.makeGroup} size="small" onClose={onClose} testId="new-group-sheet"
      footer={<Button kind="primary" disabled={!isUsable} data-testid="group-make" onClick={() => void make()}>{text.make}</Button>}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <LimitedField label={text.groupName} value={name} limit={longestGroupName} isFirst testId="group-name" onChange={setName} />
      </form>
    </Sheet>
  );
}
