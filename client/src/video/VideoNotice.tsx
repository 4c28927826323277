// Shown in place of a picture that is not ready yet, or that failed.

import { useSyncExternalStore } from 'react';
import type { Part } from '../sync/records';
import { Button } from '../ui/Button';
import { percentText } from '../words/format';
import { ProgressBar } from '../ui/ProgressBar';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import type { FileUpload } from '../uploads/queue';
import { useShared, type VideoStatus } from './videoServices';

interface VideoNoticeProps {
  readonly part: Part;
  readonly standing: VideoStatus;
  /** Why the picture of a ready video does not appear. */
  readonly problem: string | null;
  readonly onRetry: () => void;
  readonly onReplace: () => void;
}

/** The message, with the possible actions. */
export function VideoNotice({ part, standing, problem, onRetry, onReplace }: VideoNoticeProps): JSX.Element | null {
  const { links } = useShared();
  const said = lateWords.video;
  const unlink = <Button data-testid="notice-unlink" onClick={() => links.unlink(part.id)}>{said.unlink}</Button>;
  const replace = <Button data-testid="notice-replace" onClick={onReplace}>{said.replace}</Button>;
  switch (standing.kind) {
    case 'sending':
      return <Sending name={standing.name} upload={standing.upload} onCancel={() => links.cancel(part.id)} />;
    case 'converting':
      return (
        <div className="video-notice" data-testid="video-notice">
          <p role="status">{`${said.preparing}: ${percentText(standing.percent)}`}</p>
          <ProgressBar percent={standing.percent} label={said.preparing} />
          <Button data-testid="notice-cancel" onClick={() => links.giveUp(part)}>{words.common.cancel}</Button>
        </div>
      );
    case 'failed':
      return (
        <div className="video-notice" data-testid="video-notice" role="alert">
          <p dir="auto">{standing.video.problem ?? said.notPrepared}</p>
          <div className="video-row">{replace}{unlink}</div>
        </div>
      );
    case 'missing':
      return (
        <div className="video-notice" data-testid="video-notice" role="alert">
          <p>{said.isGone}</p>
          <div className="video-row">{replace}{unlink}</div>
        </div>
      );
    default:
      return problem === null ? null : (
        <div className="video-notice" data-testid="video-notice" role="alert">
          <p dir="auto">{problem}</p>
          <div className="video-row">
            <Button data-testid="notice-retry" onClick={onRetry}>{words.common.retry}</Button>
            {unlink}
          </div>
        </div>
      );
  }
}

function Sending({ name, upload, onCancel }: { name: string; upload: FileUpload; onCancel: () => void }): JSX.Element {
  const percent = Math.round(useSyncExternalStore(upload.subscribe, () => upload.progress) * 100);
  const state = useSyncExternalStore(upload.subscribe, () => upload.state);
  const problem = useSyncExternalStore(upload.subscribe, () => upload.problem);
  if (state === 'failed') {
    return (
      <div className="video-notice" data-testid="video-notice" role="alert">
        <p dir="auto">{problem}</p>
        <div className="video-row">
          <Button data-testid="notice-retry" onClick={() => upload.retry()}>{words.common.retry}</Button>
          <Button data-testid="notice-cancel" onClick={onCancel}>{words.common.remove}</Button>
        </div>
      </div>
    );
  }
  const said = lateWords.video;
  const doing = state === 'waiting' ? said.waiting : state === 'importing' ? said.preparing : said.uploading;
  return (
    <div className="video-notice" data-testid="video-notice">
      <p role="status">{problem ?? `${doing}: ${percentText(percent)}`}</p>
      <ProgressBar percent={percent} label={`${doing}: ${name}`} />
      <Button data-testid="notice-cancel" onClick={onCancel}>{words.common.cancel}</Button>
    </div>
  );
}
