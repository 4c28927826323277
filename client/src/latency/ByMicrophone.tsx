// The sheet in which the microphone hears the loudspeaker.

import { useEffect, useRef, useState } from 'react';
import { chirps } from '../generated/practice';
import type { LatencyEstimate } from '../practice/latency';
import { loadPractice } from '../practice/practiceModule';
import { useServices } from '../services/services';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { NoMicrophone } from '../ui/microphoneStream';
import { ProgressBar } from '../ui/ProgressBar';
import { Sheet } from '../ui/Sheet';
import { lateWords } from '../words/lateWords';
import { outputWatch } from './followOutput';
import { measureByMicrophone } from './microphoneMeasurement';
import { Result } from './Result';

type State =
  | { readonly kind: 'ready'; readonly problem: string | null }
  | { readonly kind: 'opening' }
  | { readonly kind: 'listening'; readonly chirps: number }
  | { readonly kind: 'found'; readonly estimate: LatencyEstimate };

/** The sheet; it explains first, and asks for permission when it is started. */
export function ByMicrophone({ onClose }: { onClose: () => void }): JSX.Element {
  const { player } = useServices();
  const [state, setState] = useState<State>({ kind: 'ready', problem: null });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => {
    running.current?.abort();
    player.returnOutput();
  }, [player]);
  const { latency, recording } = lateWords;
  const start = async (): Promise<void> => {
    const context = player.borrowOutput();
    if (!context) return;
    const turn = new AbortController();
    running.current?.abort();
    running.current = turn;
    setState({ kind: 'opening' });
    try {
      const estimate = await measureByMicrophone(await loadPractice(), context, {
        onOpen: () => setState({ kind: 'listening', chirps: 0 }),
        onChirp: (count) => setState({ kind: 'listening', chirps: count }),
      }, turn.signal);
      // With permission the browser may tell the output's name.
      await outputWatch.identify();
      if (estimate && !turn.signal.aborted) setState({ kind: 'found', estimate });
    } catch (failure) {
      if (turn.signal.aborted) return;
      const problem = failure instanceof NoMicrophone ? failure.problem : 'unsupported';
      setState({ kind: 'ready', problem: recording.problems[problem] });
    }
  };
  return (
    <Sheet title={latency.useMicrophone} onClose={onClose} testId="by-microphone">
      {state.kind === 'found'
        ? <Result estimate={state.estimate} way="microphone" onDone={onClose} onAgain={() => void start()} />
        : (
          <div className="delay-microphone">
            <p>{latency.microphoneHow}</p>
            <p>{latency.microphoneWhere}</p>
            <p className="note">{latency.microphonePrivate}</p>
            <div role="status" data-testid="delay-listening">
              {state.kind === 'opening' && <p>{recording.opening}</p>}
              {state.kind === 'listening' && <p>{latency.listening}</p>}
              {state.kind === 'ready' && state.problem !== null && (
                <p className="problem" data-testid="delay-problem">{state.problem}</p>
              )}
            </div>
            {state.kind === 'listening'
              ? <ProgressBar percent={Math.round((100 * state.chirps) / chirps.offsetsSeconds.length)} label={latency.listening} />
              : (
                <button
                  type="button" className="delay-start" data-first="" data-testid="delay-start"
                  disabled={state.kind === 'opening'} onClick={() => void start()}
                >
                  <Icon name="microphone" size={28} />
                  <span>{latency.start}</span>
                </button>
              )}
          </div>
        )}
      {state.kind === 'listening' && (
        <div className="delay-buttons">
          <Button
            data-testid="delay-cancel"
            onClick={() => {
              running.current?.abort();
              setState({ kind: 'ready', problem: null });
            }}
          >
            {latency.stopCheck}
          </Button>
        </div>
      )}
    </Sheet>
  );
}
