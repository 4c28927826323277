// The countdown before playback: a large number in a closing ring over the page.

import { useEffect, useRef } from 'react';
import { useFromPlayer, useServices } from '../services/services';
import { framesPerSecond } from '../timeline';
import './countdown.css';
import { countdownSecond, ringClosed } from '../parts/progress';
import { words } from '../words/words';

const radius = 46;
const circumference = 2 * Math.PI * radius;

/** Visible while the player counts down or in; a press anywhere cancels. */
export function Countdown(): JSX.Element | null {
  const { player } = useServices();
  const isCounting = useFromPlayer((snapshot) => snapshot.state === 'countdown');
  // A count-in shows its counts.
  const shown = useFromPlayer((snapshot) => (
    snapshot.state === 'countdown' ? snapshot.countInNumber || countdownSecond(snapshot.countdownFramesLeft) : 0
  ));
  const ring = useRef<SVGCircleElement>(null);

  useEffect(() => {
    if (!isCounting) return undefined;
    let heard = player.snapshot;
    let heardAt = performance.now();
    let frame = requestAnimationFrame(function draw(now) {
      if (player.snapshot !== heard) {
        heard = player.snapshot;
        heardAt = now;
      }
      const since = ((now - heardAt) / 1000) * framesPerSecond;
      const closed = ringClosed(heard.countdownFramesLeft, heard.countdownFrames, since);
      ring.current?.setAttribute('stroke-dashoffset', String(circumference * (1 - closed)));
      frame = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(frame);
  }, [isCounting, player]);

  if (!isCounting) return null;
  return (
    <div className="countdown" data-testid="countdown" role="timer" onClick={() => player.pause()}>
      <div className="countdown-dial">
        <svg viewBox="0 0 100 100" aria-hidden="true">
          <circle cx="50" cy="50" r={radius} className="countdown-track" />
          <circle
            ref={ring} cx="50" cy="50" r={radius} className="countdown-ring"
            strokeDasharray={circumference} strokeDashoffset={circumference}
          />
        </svg>
        <span key={shown} className="countdown-number time" data-testid="countdown-number">{shown}</span>
      </div>
      <p>{words.player.tapToCancel}</p>
    </div>
  );
}
