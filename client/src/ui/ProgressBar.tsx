// A thin bar of progress.

import { useState } from 'react';
import './progressBar.css';

/** Shows the progress of a job; the label names the job. */
export function ProgressBar({ percent, label }: { percent: number; label: string }): JSX.Element {
  // When another job begins, the bar begins anew: moving back it would look full at 1 %.
  const [shown, setShown] = useState({ percent, job: 0 });
  if (percent !== shown.percent) {
    setShown({ percent, job: percent < shown.percent ? shown.job + 1 : shown.job });
  }
  // The first hundredths are drawn wide enough to be seen.
  const width = percent > 0 ? Math.max(2, percent) : 0;
  return (
    <div
      className="progress-bar" role="progressbar" aria-label={label}
      aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent}
    >
      <div key={shown.job} style={{ width: `${width}%` }} />
    </div>
  );
}
