// The practice log: the switch, what was practised by day, and its files.

import { useEffect, useMemo, useState } from 'react';
import { logDays, logItems, type LogDay, type LogItem } from '../practiceLog/days';
import { logCSV, logJSON } from '../practiceLog/files';
import { useFromLibrary, useServices, useSetting } from '../services/services';
import { Button } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { saveFile } from '../ui/save';
import { Switch } from '../ui/Switch';
import { toasts } from '../ui/toasts';
import { useIncrementalList } from '../ui/useIncrementalList';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { dayText, PracticeLogDay } from './PracticeLogDay';
import './practiceLog.css';
import { SettingsSubpage } from './SettingsSubpage';

/** What is asked to be deleted: a day, or everything. */
type Asked = { readonly day: string | null; readonly items: readonly LogItem[] } | null;

/** The page. */
export function PracticeLogPage(): JSX.Element {
  const { library } = useServices();
  const said = lateWords.practiceLog;
  const isOn = useSetting('practiceLog');
  const [isUnread, setUnread] = useState(false);
  const isOpen = useFromLibrary((current) => current.isLogOpen);
  const open = (): void => {
    setUnread(false);
    library.openLog().catch(() => setUnread(true));
  };
  useEffect(open, [library]);
  return (
    <SettingsSubpage title={said.title}>
      <div className="settings-group practice-log-head">
        <Switch
          label={said.write} hint={said.writeHint} isOn={isOn} testId="log-switch"
          onChange={() => library.set('practiceLog', !isOn)}
        />
        <p className="note">{said.whose}</p>
      </div>
      {isOpen && <Log />}
      {!isOpen && !isUnread && <p className="note" aria-busy="true">{words.common.loading}</p>}
      {isUnread && (
        <div className="nothing-yet" role="alert">
          <p>{said.unread}</p>
          <Button kind="primary" icon="retry" onClick={open}>{words.common.retry}</Button>
        </div>
      )}
    </SettingsSubpage>
  );
}

function Log(): JSX.Element {
  const { library } = useServices();
  const said = lateWords.practiceLog;
  const entries = useFromLibrary((current) => current.all('practiceEntry'));
  const runs = useFromLibrary((current) => current.all('runThrough'));
  const items = useMemo(() => logItems(entries, runs), [entries, runs]);
  const days = useMemo(() => logDays(items), [items]);
  const [length, end] = useIncrementalList('practice-log');
  const [asked, setAsked] = useState<Asked>(null);
  const remove = (gone: readonly LogItem[]): void => {
    let undo: (() => void)[] = [];
    library.transact(() => {
      undo = gone.map(({ kind, id }) => library.remove(kind === 'entry' ? 'practiceEntry' : 'runThrough', id));
    });
    toasts.say(said.entriesDeleted(said.entries(gone.length)), {
      action: { label: words.common.undo, run: () => library.transact(() => undo.forEach((each) => each())) },
    });
  };
  const titleOf = library.lastTitle.bind(library);
  const save = (name: string, type: string, text: string): void => saveFile(name, new Blob([text], { type }));
  if (items.length === 0) return <p className="nothing-yet" data-testid="log-empty">{said.empty}</p>;
  return (
    <>
      <div className="practice-log-actions">
        <Button
          icon="download" data-testid="log-csv" aria-label={said.saveAs(said.csv)}
          onClick={() => save('practice-log.csv', 'text/csv;charset=utf-8', logCSV(items, titleOf))}
        >
          {said.csv}
        </Button>
        <Button
          icon="download" data-testid="log-json" aria-label={said.saveAs(said.json)}
          onClick={() => save('practice-log.json', 'application/json', logJSON(items, titleOf))}
        >
          {said.json}
        </Button>
        <Button icon="trash" kind="quiet" data-testid="log-delete-all" onClick={() => setAsked({ day: null, items })}>
          {said.deleteAll}
        </Button>
      </div>
      {shownDays(days, length).map((day) => (
        <PracticeLogDay
          key={day.day} day={day} onDelete={(item) => remove([item])}
          onDeleteDay={() => setAsked({ day: day.day, items: day.items })}
        />
      ))}
      {items.length > length && <div key={length} ref={end} className="list-end" />}
      {asked && (
        <Confirm
          title={asked.day === null ? said.deleteAllTitle : said.deleteDayTitle(dayText(asked.day))}
          action={words.common.delete} onClose={() => setAsked(null)} onConfirm={() => remove(asked.items)}
        >
          {said.goes(said.entries(asked.items.length))}
        </Confirm>
      )}
    </>
  );
}

/** The first days, with as many items as the list shows by now. */
function shownDays(days: readonly LogDay[], length: number): readonly LogDay[] {
  let count = 0;
  return days.filter(({ items }) => {
    const isShown = count < length;
    count += items.length;
    return isShown;
  });
}
