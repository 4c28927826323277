// The geometry of the picture of a part's speed: a line that rises on each day with a new best, and the target. Pure.

/** A day on which a part was played through faster than ever before. */
export interface Best {
  /** In days since 1970-01-01. */
  readonly day: number;
  /** Of the recorded speed. */
  readonly percent: number;
}

/** The picture, in the units of its box: x grows with time, y downwards. */
export interface SpeedPicture {
  /** The line along the bests. */
  readonly line: string;
  /** What is below it. */
  readonly area: string;
  /** The height of the target. */
  readonly targetY: number;
  /** The place of the last best. */
  readonly end: { readonly x: number; readonly y: number };
  /** The first and the last day of the picture. */
  readonly firstDay: number;
  readonly lastDay: number;
}

/** A picture covers at least two weeks, so that the first days of practice do not fill it. */
const shortestDays = 13;
/** The slowest speed that can be played, which stands on the ground. */
const groundPercent = 25;

/** Keeps the days with a new best, of the best of each day. */
export function bestsOf(days: readonly Best[]): Best[] {
  let best = 0;
  return days.filter(({ percent }) => {
    const isNew = percent > best;
    best = Math.max(best, percent);
    return isNew;
  });
}

/** Draws the bests, of which there is at least one, until today. */
export function speedPicture(
  bests: readonly Best[], targetPercent: number, today: number, { width, height }: { readonly width: number; readonly height: number },
): SpeedPicture {
  const dayOfFirst = bests[0]?.day ?? today;
  // A device whose clock was ahead may have practised tomorrow.
  const lastDay = Math.max(today, bests[bests.length - 1]?.day ?? today);
  const firstDay = Math.min(dayOfFirst, lastDay - shortestDays);
  const highest = Math.max(targetPercent, ...bests.map(({ percent }) => percent));
  const x = (day: number): number => rounded((day - firstDay) / (lastDay - firstDay) * width);
  const y = (percent: number): number => (
    rounded(height * (1 - (Math.max(groundPercent, percent) - groundPercent) / Math.max(1, highest - groundPercent)))
  );
  const steps = bests.map(({ day, percent }, at) => (at === 0 ? `M${x(day)} ${y(percent)}` : `H${x(day)}V${y(percent)}`)).join('');
  const line = `${steps}H${width}`;
  const last = bests[bests.length - 1];
  return {
    line, area: `${line}V${height}H${x(dayOfFirst)}Z`, targetY: y(targetPercent), firstDay, lastDay,
    end: { x: x(last?.day ?? today), y: y(last?.percent ?? 0) },
  };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
