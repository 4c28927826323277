// The sheet in which a performer says the name of a move.

import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { mediaAddress } from '../apiAddress';
import { useFromLibrary, useServices } from '../services/services';
import { browserEnvironment } from '../sync/environment';
import type { Move } from '../sync/records';
import { framesPerSecond } from '../timeline';
import type { QueuedFile } from '../uploads/queue';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Sheet } from '../ui/Sheet';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { openMicrophone } from './microphone';
import { longestSeconds, NameRecorder } from './nameRecorder';
import { nameRecordings, recordingFile } from './nameRecordings';
import { playSound, stopSound } from './playSound';
import './recordName.css';

interface RecordNameProps {
  readonly move: Move;
  readonly onClose: () => void;
}

/** The sheet; a recording is sent as soon as it ends. */
export function RecordName({ move, onClose }: RecordNameProps): JSX.Element {
  const services = useServices();
  const { player, uploads } = services;
  const latest = useRef(move);
  latest.current = move;
  const [recorder] = useState(() => {
    const { clock, timer } = browserEnvironment();
    return new NameRecorder({
      clock, timer,
      openMicrophone: () => {
        // It would be recorded, too.
        player.pause();
        stopSound();
        return openMicrophone();
      },
      onRecorded: (sound) => {
        const { id, title } = latest.current;
        nameRecordings(services).start(id, recordingFile(sound, title));
      },
    });
  });
  useEffect(() => () => {
    recorder.close();
    stopSound();
  }, [recorder]);
  const queued = useSyncExternalStore(uploads.subscribe, () => uploads.ofMove(move.id));
  const text = lateWords.recording;
  return (
    <Sheet title={text.nameOf(move.title)} onClose={onClose} testId="record-name">
      <div className="record-name">
        <p>{text.how}</p>
        <Pad recorder={recorder} />
        {queued ? <Sending move={move} queued={queued} /> : <Recorded move={move} />}
      </div>
    </Sheet>
  );
}

/** The button, the level and what happens. */
function Pad({ recorder }: { recorder: NameRecorder }): JSX.Element {
  const state = useSyncExternalStore(recorder.subscribe, () => recorder.state);
  const problem = useSyncExternalStore(recorder.subscribe, () => recorder.problem);
  const level = useRef<HTMLElement>(null);
  const left = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (state !== 'recording') return undefined;
    navigator.vibrate?.(15);
    let frame = 0;
    const draw = (): void => {
      // Decibels from −50 to 0, as ears hear.
      const share = Math.max(0, 1 + Math.log10(Math.max(recorder.level, 1e-6)) / 2.5);
      if (level.current) level.current.style.transform = `scaleX(${Math.min(1, share)})`;
      if (left.current) left.current.textContent = String(Math.max(0, Math.ceil(longestSeconds - recorder.milliseconds / 1_000)));
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [state, recorder]);
  const text = lateWords.recording;
  const isKey = (key: string): boolean => key === ' ' || key === 'Enter';
  const says = state === 'recording' ? text.speak : state === 'opening' ? text.opening : state === 'saving' ? text.sending : text.hold;
  return (
    <>
      <button
        type="button" className="record-pad" data-testid="record-pad" data-state={state} data-first
        aria-pressed={state === 'recording'} aria-describedby="record-state"
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          recorder.press(event.timeStamp);
        }}
        onPointerUp={({ timeStamp }) => recorder.release(timeStamp)}
        onPointerCancel={({ timeStamp }) => recorder.release(timeStamp)}
        onKeyDown={(event) => {
          if (!isKey(event.key)) return;
          // Or the key would also be a click.
          event.preventDefault();
          if (!event.repeat) recorder.press(event.timeStamp);
        }}
        onKeyUp={(event) => {
          if (!isKey(event.key)) return;
          event.preventDefault();
          recorder.release(event.timeStamp);
        }}
        onClick={(event) => {
          // Of a screen reader: it has neither a pointer nor a key.
          if (event.detail !== 0) return;
          recorder.press(event.timeStamp);
          recorder.release(event.timeStamp);
        }}
        onContextMenu={(event) => event.preventDefault()}
      >
        <Icon name="microphone" size={44} />
        <span>{says}</span>
      </button>
      <div className="record-level" aria-hidden="true">
        <i ref={level} />
      </div>
      <p className="record-state" id="record-state" role="status" data-testid="record-state">
        {state === 'recording' && <>{text.stopHint}{' '}<span ref={left} aria-hidden="true" className="time" /></>}
        {problem !== null && <span className={problem === 'again' ? '' : 'problem'} data-testid="record-problem">{text.problems[problem]}</span>}
      </p>
    </>
  );
}

/** A recording on its way. */
function Sending({ move, queued }: { move: Move; queued: QueuedFile }): JSX.Element {
  const services = useServices();
  const { upload, file } = queued;
  const state = useSyncExternalStore(upload.subscribe, () => upload.state);
  const problem = useSyncExternalStore(upload.subscribe, () => upload.problem);
  const online = useFromLibrary((library) => library.status.online);
  const text = lateWords.recording;
  const isFailed = state === 'failed';
  return (
    <section className="record-now" aria-label={text.latest} data-testid="record-sending" data-state={state}>
      <p role="status" className={isFailed ? 'problem' : undefined}>
        {isFailed ? problem : online && problem === null ? text.sending : text.waits}
      </p>
      <div className="record-actions">
        <Listen sound={() => Promise.resolve(file)} />
        {isFailed && !upload.isUnusable && (
          <Button icon="retry" data-testid="record-retry" onClick={() => upload.retry()}>{words.common.retry}</Button>
        )}
        <Button icon="trash" data-testid="record-cancel" onClick={() => nameRecordings(services).cancel(move.id)}>
          {text.discard}
        </Button>
      </div>
    </section>
  );
}

/** The recording that the move has. */
function Recorded({ move }: { move: Move }): JSX.Element | null {
  const services = useServices();
  const recording = useFromLibrary((library) => (move.recording ? library.get('recording', move.recording) : undefined));
  const text = lateWords.recording;
  if (!recording) return null;
  const isReady = recording.state === 'ready';
  const seconds = Math.max(0.1, (recording.lengthFrames ?? 0) / framesPerSecond);
  return (
    <section className="record-now" aria-label={text.latest} data-testid="record-ready">
      <p role="status" className={isReady ? undefined : 'problem'}>
        {isReady ? text.recorded(seconds) : recording.problem ?? text.preparing}
      </p>
      <div className="record-actions">
        {isReady && <Listen sound={() => fetchVoice(recording.id)} />}
        <Button
          icon="trash" data-testid="record-delete"
          onClick={() => {
            const undo = nameRecordings(services).takeOff(move);
            toasts.say(text.deleted(move.title), { action: { label: words.common.undo, run: undo } });
          }}
        >
          {words.common.delete}
        </Button>
      </div>
    </section>
  );
}

async function fetchVoice(recording: string): Promise<Blob> {
  const response = await fetch(mediaAddress.voice(recording));
  if (!response.ok) throw new Error(`The recording answered ${response.status}.`);
  return response.blob();
}

function Listen({ sound }: { sound: () => Promise<Blob> }): JSX.Element {
  const { player } = useServices();
  const [isPlaying, setPlaying] = useState(false);
  const text = lateWords.recording;
  const play = async (): Promise<void> => {
    player.pause();
    setPlaying(true);
    try {
      await playSound(await sound());
    } catch {
      toasts.say(text.notPlayed, { kind: 'problem' });
    } finally {
      setPlaying(false);
    }
  };
  return (
    <Button
      icon={isPlaying ? 'pause' : 'play'} data-testid="record-listen" data-playing={isPlaying}
      onClick={() => (isPlaying ? stopSound() : void play())}
    >
      {isPlaying ? text.stop : text.listen}
    </Button>
  );
}
