// The bar of who leads: how many follow, what is said to all, and the end.

import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useServices } from '../services/services';
import { browserEnvironment } from '../sync/environment';
import type { Part, Routine } from '../sync/records';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { oneLine } from '../ui/text';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { endLead, sendLead } from './api';
import { Leader } from './leader';
import { readLead } from './leadState';
import { useRounds } from './useRounds';

interface LeadingProps {
  readonly routine: Routine;
  readonly part: Part;
  /** The ids under which the whole routine is played. */
  readonly wholeIds: readonly string[];
}

/** The limit of a note, in characters. */
const longestNote = 200;
/** What is typed is sent after a pause of this length. */
const pauseMilliseconds = 800;

/** Leads while it is shown. */
export function Leading({ routine, part, wholeIds }: LeadingProps): JSX.Element {
  const { leads, player, library } = useServices();
  const latest = useRef({ part, wholeIds });
  latest.current = { part, wholeIds };
  const leader = useRef<Leader | null>(null);
  const rounds = useRounds(() => leader.current?.step());
  const followers = useSyncExternalStore(leads.subscribe, () => {
    const told = readLead(leads.told.get(routine.id));
    return told?.client === leads.client ? told.followers : 0;
  });
  const [note, setNote] = useState('');
  const said = useRef('');
  const say = (text: string): void => {
    if (text === said.current) return;
    said.current = text;
    leader.current?.say(text);
  };
  useEffect(() => {
    // The server takes nothing more under the id of a lead that has ended.
    const client = library.newId();
    leads.client = client;
    const made = new Leader({
      client, player, part: () => latest.current.part.id, isRun: (id) => latest.current.wholeIds.includes(id),
      now: () => performance.now(), offset: () => rounds.current?.time.offset ?? null,
      deliver: (message) => sendLead(routine.id, message),
      onOver: () => {
        toasts.say(lateWords.lead.isOver);
        leads.begin(null);
      },
      timer: browserEnvironment().timer,
    });
    leader.current = made;
    const step = (): void => made.step();
    const stops = [player.subscribe(step), player.onReport(step)];
    const beat = setInterval(step, 1_000);
    const leave = (): void => endLead(routine.id, client);
    window.addEventListener('pagehide', leave);
    return () => {
      clearInterval(beat);
      for (const stop of stops) stop();
      window.removeEventListener('pagehide', leave);
      made.close();
      leader.current = null;
      leave();
      // The page is left.
      if (leads.own?.routine === routine.id && leads.own.does === 'leads') leads.begin(null);
    };
  }, [leads, player, library, routine.id]);
  // Another part.
  useEffect(() => leader.current?.step());
  useEffect(() => {
    const timer = setTimeout(() => say(note.trim()), pauseMilliseconds);
    return () => clearTimeout(timer);
  }, [note]);
  const text = lateWords.lead;
  return (
    <section className="lead-bar is-leading" aria-label={text.together} data-testid="leading">
      <Icon name="lead" size={20} />
      <p role="status"><b>{text.leading}</b> · <span data-testid="followers">{text.follow(followers)}</span></p>
      <Button isSmall data-testid="lead-stop" onClick={() => leads.begin(null)}>{text.stop}</Button>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          say(note.trim());
        }}
      >
        <input
          className="input" type="text" dir="auto" autoComplete="off" enterKeyHint="send" maxLength={longestNote}
          aria-label={text.note} placeholder={text.noteExample} data-testid="lead-say" value={note}
          onChange={(event) => setNote(oneLine(event.target.value))}
        />
      </form>
    </section>
  );
}
