// A light that flashes when a click is heard, so that one sees whether the latency is right.

import { useEffect, useRef, useState } from 'react';
import { latencySound } from '../practice/latency';
import { loadPractice } from '../practice/practiceModule';
import { useServices } from '../services/services';
import { Button } from '../ui/Button';
import { lateWords } from '../words/lateWords';
import { onFrame, SoundPlayer } from './soundPlayer';

/** Slower than three flashes a second, which could harm. */
const periodSeconds = 0.75;
const flashSeconds = 0.12;
const aheadSeconds = 1.5;

/** The button and the light. */
export function FlashCheck({ milliseconds }: { milliseconds: number }): JSX.Element {
  const { player } = useServices();
  const [context, setContext] = useState<AudioContext | null>(null);
  const light = useRef<HTMLSpanElement>(null);
  const seconds = useRef(0);
  seconds.current = milliseconds / 1_000;
  useEffect(() => {
    if (!context) return undefined;
    const sounds = new SoundPlayer(context);
    let frame = 0;
    let isOver = false;
    let next = onFrame(context.currentTime + 0.3);
    const first = next;
    loadPractice().then((practice) => {
      if (isOver) return;
      const click = sounds.sound(latencySound(practice, 'click'));
      const draw = (): void => {
        for (; next < context.currentTime + aheadSeconds; next = onFrame(next + periodSeconds)) sounds.play(click, next);
        const since = context.currentTime - seconds.current - first;
        const isLit = since >= 0 && since % periodSeconds < flashSeconds;
        light.current?.classList.toggle('is-lit', isLit);
        frame = requestAnimationFrame(draw);
      };
      draw();
    }, () => setContext(null));
    return () => {
      isOver = true;
      cancelAnimationFrame(frame);
      sounds.stop();
      player.returnOutput();
    };
  }, [context, player]);
  const { latency } = lateWords;
  const isOn = context !== null;
  return (
    <div className="delay-check">
      <span className="delay-light" ref={light} aria-hidden="true" data-testid="delay-light" />
      <div>
        <Button
          icon={isOn ? 'pause' : 'play'} isSmall aria-pressed={isOn} data-testid="delay-check"
          onClick={() => setContext(isOn ? null : player.borrowOutput())}
        >
          {isOn ? latency.stopCheck : latency.check}
        </Button>
        <p className="note">{latency.checkHint}</p>
      </div>
    </div>
  );
}
