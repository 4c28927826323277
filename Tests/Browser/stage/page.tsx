// The page of the stage's tests: a stage with a minimal state. The stage's callbacks are recorded in
// `window.stage.told`, which the tests read.
import { useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ClipStage } from '../../../client/src/clipper/stage/ClipStage';
import type { StageApi, StageBorder, StageGuess, StageRange } from '../../../client/src/clipper/stage/types';
import { shortestStretchFrames as leastFrames, type Stretch } from '../../../client/src/timeline';
import '../../../client/src/ui/tokens.css';
import '../../../client/src/ui/base.css';
import './page.css';

interface Scene {
  ranges: StageRange[];
  cuts: number[];
  guesses: StageGuess[];
  selection: Stretch | null;
  isPlaying: boolean;
}

interface Testing {
  /** The recorded callbacks of the stage, in order. */
  told: unknown[][];
  /** Changes the scene. */
  set(change: Partial<Scene>): void;
  /** Sets the needle to a frame. */
  seek(frame: number): void;
  /** Moves the needle from a frame at a speed, with a clock that tests can stop. */
  play(frame: number, framesPerSecond?: number): void;
  api(): StageApi | null;
}

declare global {
  interface Window { stage: Testing }
}

const asked = new URLSearchParams(location.search);
const trackId = asked.get('track') ?? '';
const lengthFrames = Number(asked.get('length'));

function Page(): JSX.Element {
  const [scene, setScene] = useState<Scene>(
    { ranges: [], cuts: [], guesses: [], selection: null, isPlaying: false },
  );
  const api = useRef<StageApi>(null);
  const clock = useRef<() => number>(() => 0);
  const told = useRef<unknown[][]>([]);
  const tell = (...words: unknown[]): void => {
    told.current.push(words);
  };
  const set = (change: Partial<Scene>): void => setScene((last) => ({ ...last, ...change }));
  window.stage = {
    told: told.current,
    set,
    seek: (frame) => {
      clock.current = () => frame;
    },
    play: (frame, framesPerSecond = 48_000) => {
      const began = performance.now();
      clock.current = () => Math.min(
        lengthFrames, Math.round(frame + ((performance.now() - began) / 1000) * framesPerSecond),
      );
      set({ isPlaying: true });
    },
    api: () => api.current,
  };
  const borders: StageBorder[] = scene.cuts.map((frame, index) => ({
    id: `cut-${index}`, frame, label: `Border ${index + 1}`,
    minFrame: (scene.cuts[index - 1] ?? 0) + leastFrames,
    maxFrame: (scene.cuts[index + 1] ?? lengthFrames) - leastFrames,
  }));
  return (
    <main>
      <h1>Stage</h1>
      <ClipStage
        trackId={trackId} lengthFrames={lengthFrames} ranges={scene.ranges} borders={borders}
        guesses={scene.guesses} beats={[]} stepBy={null} selection={scene.selection} isPlaying={scene.isPlaying}
        position={() => clock.current()}
        onSeek={(frame) => {
          tell('seek', frame);
          clock.current = () => frame;
        }}
        onSelect={(which, frame, anchor, hint) => {
          tell('select', which, frame, anchor, hint);
          const [start, end] = [Math.min(frame, anchor), Math.max(frame, anchor)];
          if (which === 'new') set({ selection: { startFrame: start, endFrame: Math.max(end, start + leastFrames) } });
          else if (which === 'start') set({ selection: { startFrame: Math.min(frame, anchor - leastFrames), endFrame: anchor } });
          else set({ selection: { startFrame: anchor, endFrame: Math.max(frame, anchor + leastFrames) } });
        }}
        onSelectEnd={() => tell('selectEnd')}
        onBorder={(id, frame, hint) => {
          tell('border', id, frame, hint);
          setScene((last) => ({
            ...last, cuts: last.cuts.map((cut, index) => (`cut-${index}` === id ? frame : cut)),
          }));
        }}
        onBorderEnd={(id) => tell('borderEnd', id)}
        onGuess={(frame) => tell('guess', frame)}
        onRange={(id) => tell('range', id)}
        apiRef={api}
      />
    </main>
  );
}

createRoot(document.getElementById('app') ?? document.body).render(<Page />);
