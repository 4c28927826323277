// The bar of who follows: who leads, what they say in large letters, the sound, and the way out.

import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { CurrentCount } from '../player/CurrentCount';
import { useFromPlayer, usePlace, useServices } from '../services/services';
import type { Part, Routine } from '../sync/records';
import type { Led } from '../parts/led';
import type { Run } from '../parts/useRun';
import { remember, remembered } from '../ui/device';
import { Button, IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { toasts } from '../ui/toasts';
import { percentText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { endFollow, sendFollow } from './api';
import { Follower } from './follower';
import { followable } from './ledPart';
import { readLead, type ToldLead } from './leadState';
import { useRounds } from './useRounds';
import { whoLeads } from './who';

interface FollowingProps {
  readonly routine: Routine;
  readonly parts: readonly Part[];
  readonly index: number;
  readonly whole: Run | null;
  readonly onShow: (index: number) => void;
  readonly onLed: (led: Led | null) => void;
}

const heartbeatMilliseconds = 10_000;
/** A leader who is not listed after a lost connection may come back: the server may have been restarted. */
const graceMilliseconds = 35_000;

/** Follows while it is shown. */
export function Following({ routine, parts, index, whole, onShow, onLed }: FollowingProps): JSX.Element | null {
  const { leads, player, library } = useServices();
  const raw = useSyncExternalStore(leads.subscribe, () => leads.told.get(routine.id) ?? null);
  const told = useMemo(() => readLead(raw), [raw]);
  const last = useRef<ToldLead | null>(null);
  if (told) last.current = told;
  const lead = last.current;
  const state = lead?.state ?? null;
  const semitones = parts.find(({ id }) => id === state?.part)?.semitones ?? 0;
  const found = useMemo(() => state && followable(state, whole, semitones), [state, whole, semitones]);
  const [isLoud, setLoud] = useState(() => remembered('followSound') !== 'off');
  const text = lateWords.lead;
  const who = lead ? whoLeads(lead, library.status.person ?? 'owner') : '';

  const leave = (sentence: string): void => {
    leads.begin(null);
    toasts.say(sentence, told && {
      action: {
        label: text.rejoin,
        run: () => {
          player.open();
          leads.begin({ routine: routine.id, does: 'follows' });
        },
      },
    } || {});
  };
  const touched = useRef(() => undefined as void);
  touched.current = () => leave(text.youLeft(who));
  const follower = useRef<Follower | null>(null);
  const rounds = useRounds(() => follower.current?.step());
  useEffect(() => {
    const made = new Follower({
      player: {
        get snapshot() { return player.snapshot; },
        get bounds() { return player.bounds; },
        get turnsWithoutGap() { return player.turnsWithoutGap; },
        get loadedId() { return player.loaded?.id ?? null; },
        get seeks() { return player.seeks; },
        heardAt: (milliseconds) => player.heardAt(milliseconds),
        position: () => player.position(),
        join: (...at) => player.join(...at),
        pause: () => player.pause(),
        seek: (frame) => player.seek(frame),
      },
      now: () => performance.now(), offset: () => rounds.current?.time.offset ?? null,
      onTouched: () => touched.current(),
    });
    follower.current = made;
    const step = (): void => made.step();
    const stops = [player.subscribe(step), player.onReport(step)];
    const beat = setInterval(step, 200);
    return () => {
      clearInterval(beat);
      for (const stop of stops) stop();
      follower.current = null;
      player.pause();
      player.setMuted(false);
      onLed(null);
    };
  }, [player, onLed]);
  useEffect(() => () => {
    // The page is left.
    if (leads.own?.routine === routine.id && leads.own.does === 'follows') leads.begin(null);
  }, [leads, routine.id]);
  const led = useStableLed(found?.led ?? null);
  useEffect(() => onLed(led), [led, onLed]);
  useEffect(() => follower.current?.follow(found?.followed ?? null));
  useEffect(() => player.setMuted(!isLoud), [player, isLoud]);

  useEffect(() => {
    const client = leads.client ?? library.newId();
    leads.client = client;
    const tell = (): void => void sendFollow(routine.id, client).catch(() => undefined);
    tell();
    const beat = setInterval(tell, heartbeatMilliseconds);
    const end = (): void => endFollow(routine.id, client);
    window.addEventListener('pagehide', end);
    return () => {
      clearInterval(beat);
      window.removeEventListener('pagehide', end);
      end();
    };
  }, [leads, library, routine.id]);

  // The leader's part is shown; a performer who turns the page leaves.
  const wanted = parts.findIndex(({ id }) => id === state?.part);
  const shown = useRef(-1);
  useEffect(() => {
    if (wanted < 0) return;
    if (shown.current !== wanted) {
      if (index === wanted) shown.current = wanted;
      else onShow(wanted);
    } else if (index !== wanted) {
      touched.current();
    }
  }, [wanted, index, onShow]);

  const isMissing = told === null;
  useEffect(() => {
    if (!isMissing) return undefined;
    const end = (): void => {
      leads.begin(null);
      toasts.say(text.ended(who));
    };
    if (leads.hasEnded(routine.id)) {
      end();
      return undefined;
    }
    const timer = setTimeout(end, graceMilliseconds);
    return () => clearTimeout(timer);
  }, [isMissing, leads, routine.id]);

  const isPlaying = useFromPlayer(({ wantsToPlay }) => wantsToPlay);
  const { overlays } = usePlace();
  const isOnStage = overlays.includes('stageView');
  const percent = useFromPlayer((snapshot) => snapshot.percent);
  if (!lead) return null;
  const part = parts[wanted];
  return (
    <section
      className="lead-bar is-following" aria-label={text.together} data-testid="following" data-playing={isPlaying}
      data-percent={percent} data-loop={lead.state.loopMode}
    >
      {lead.note !== '' && <p className={isOnStage ? 'lead-words is-over' : 'lead-words'} dir="auto" role="status" data-testid="lead-words">{lead.note}</p>}
      <Icon name="lead" size={20} />
      <p>
        {text.youFollow(who)}
        {part && <small dir="auto">{wanted + 1}. {part.title} · {percentText(percent)}</small>}
      </p>
      <CurrentCount isRun mayCorrect={false} />
      <IconButton
        icon={isLoud ? 'audio' : 'mute'} label={text.sound} aria-pressed={isLoud} data-testid="follow-sound"
        onClick={() => {
          remember('followSound', isLoud ? 'off' : 'on');
          setLoud(!isLoud);
        }}
      />
      <Button isSmall data-testid="follow-leave" onClick={() => leads.begin(null)}>{text.leave}</Button>
    </section>
  );
}

/** Returns the same object until something of it changes. */
function useStableLed(led: Led | null): Led | null {
  const key = led && JSON.stringify([led.playable.id, led.playable.trackId, led.settings]);
  return useMemo(() => led, [key]);
}
