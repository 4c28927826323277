// A waveform on a canvas, sharp on every screen: one range of a track, or several in a row.

import { useEffect, useRef, useState } from 'react';
import {
  barCount, barHeights, filled, placeBars, resolutionFor, shareBars, type Peaks,
} from './peaks';
import type { TrackStretch } from '../timeline';
import { peaksCache } from './peaksCache';
import { theme } from './theme';
import './waveform.css';

interface WaveformProps {
  /** In order from left to right. The array must keep its identity while nothing changes. */
  readonly stretches: readonly TrackStretch[];
  /** `journey` colours it from pink at the start to blue at the end. */
  readonly tone?: 'plain' | 'journey';
  /** `double` draws it twice, the upper one in the colour of the played part. */
  readonly double?: boolean;
  /** Receives the upper canvas, which is clipped to the played part. */
  readonly playedRef?: React.Ref<HTMLCanvasElement>;
}

interface Box {
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
}

/** Draws a waveform; fetches it only once it comes near the screen. */
export function Waveform({
  stretches, tone = 'plain', double = false, playedRef,
}: WaveformProps): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  const [box, setBox] = useState<Box | null>(null);
  const [isNear, setNear] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [drawn, setDrawn] = useState<'false' | 'true' | 'failed'>('false');

  useEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    const near = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setNear(true);
    }, { rootMargin: '300px' });
    const size = new ResizeObserver(() => {
      const ratio = window.devicePixelRatio || 1;
      const { clientWidth, clientHeight } = element;
      if (clientWidth > 0) setBox({ width: clientWidth, height: clientHeight, ratio });
    });
    near.observe(element);
    size.observe(element);
    return () => {
      near.disconnect();
      size.disconnect();
    };
  }, []);

  useEffect(() => {
    if (!box || !isNear) return undefined;
    let isCurrent = true;
    const bars = barCount(Math.round(box.width * box.ratio), box.ratio);
    const shares = shareBars(stretches.map((one) => one.endFrame - one.startFrame), bars);
    const resolutions = stretches.map((one, index) => (
      resolutionFor(one.endFrame - one.startFrame, Math.max(1, shares[index] ?? 0))
    ));

    const draw = (peaks: readonly (Peaks | null)[]): void => {
      const heights = new Float32Array(bars);
      let offset = 0;
      stretches.forEach((one, index) => {
        const share = shares[index] ?? 0;
        const found = peaks[index];
        if (found && share > 0) heights.set(barHeights(found, one.startFrame, one.endFrame, share), offset);
        offset += share;
      });
      for (const canvas of root.current?.querySelectorAll('canvas') ?? []) {
        drawBars(canvas, filled(heights), box, tone);
      }
    };

    const here = stretches.map((one, index) => peaksCache.peek(one.trackId, resolutions[index] ?? 64));
    let last: readonly (Peaks | null)[] = here;
    draw(here);
    const retry = (): void => setAttempt((count) => count + 1);
    const stopTheme = theme.subscribe(() => draw(last));
    if (here.every((peaks) => peaks !== null)) {
      setDrawn('true');
    } else {
      const requests = stretches.map((one, index) => (
        peaksCache.get(one.trackId, resolutions[index] ?? 64).catch(() => null)
      ));
      void Promise.all(requests).then((arrived) => {
        if (!isCurrent) return;
        last = arrived;
        draw(arrived);
        setDrawn(arrived.includes(null) ? 'failed' : 'true');
        // A failed waveform is a line of dots until the network is back.
        if (arrived.includes(null)) window.addEventListener('online', retry, { once: true });
      });
    }
    return () => {
      isCurrent = false;
      stopTheme();
      window.removeEventListener('online', retry);
    };
  }, [box, isNear, stretches, attempt, tone]);

  return (
    <div ref={root} className="waveform" data-drawn={drawn} aria-hidden="true">
      <canvas className="waveform-base" />
      {double && <canvas className="waveform-played" ref={playedRef} />}
    </div>
  );
}

function drawBars(canvas: HTMLCanvasElement, heights: Float32Array, box: Box, tone: 'plain' | 'journey'): void {
  const width = Math.round(box.width * box.ratio);
  const height = Math.round(box.height * box.ratio);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.clearRect(0, 0, width, height);
  const style = getComputedStyle(canvas);
  if (tone === 'journey') {
    const journey = context.createLinearGradient(0, 0, width, 0);
    journey.addColorStop(0, style.getPropertyValue('--a').trim());
    journey.addColorStop(1, style.getPropertyValue('--b').trim());
    context.strokeStyle = journey;
  } else {
    context.strokeStyle = style.color;
  }
  context.lineCap = 'round';
  context.beginPath();
  for (const bar of placeBars(heights, width, height, box.ratio)) {
    const half = bar.width / 2;
    context.lineWidth = bar.width;
    context.moveTo(bar.x + half, bar.y + half);
    context.lineTo(bar.x + half, bar.y + bar.height - half);
  }
  context.stroke();
}
