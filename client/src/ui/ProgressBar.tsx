// A thin bar of progress.

import './progressBar.css';

/** Shows the progress of a job; the label names the job. */
export function ProgressBar({ percent, label }: { percent: number; label: string }): JSX.Element {
  return (
    <div
      className="progress-bar" role="progressbar" aria-label={label}
      aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent}
    >
      <div style={{ transform: `scaleX(${percent / 100})` }} />
    </div>
  );
}
