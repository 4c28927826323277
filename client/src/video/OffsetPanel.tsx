// Sets by hand where in the music the video begins, while both play.

import { useEffect, useLayoutEffect, useRef } from 'react';
import { useFromPlayer, useServices } from '../services/services';
import type { Part, Video } from '../sync/records';
import { Button, IconButton } from '../ui/Button';
import { percentText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { framesOf } from '../ui/time';
import type { Alignment, AlignmentQuestion } from './alignment';
import { frameSecondsOf } from './actions';
import { atInVideo } from './offsetText';
import { useShared } from './videoServices';
import { useFreeArea } from './useFreeArea';

interface OffsetPanelProps {
  readonly part: Part;
  readonly video: Video;
  readonly question: AlignmentQuestion;
  readonly alignment: Alignment | null;
  /** The offset being tried. */
  readonly draft: number;
  readonly onDraft: (offset: number) => void;
  /** Reports the panel's height in the window. */
  readonly onHeight: (height: number) => void;
  readonly onClose: () => void;
}

/** The panel; it lies above the audio player and leaves the rest of the page to the video. */
export function OffsetPanel({
  part, video, question, alignment, draft, onDraft, onHeight, onClose,
}: OffsetPanelProps): JSX.Element {
  const { library, player } = useServices();
  const { alignments } = useShared();
  const root = useRef<HTMLElement>(null);
  const { bottom } = useFreeArea(0);
  const isPlaying = useFromPlayer((snapshot) => snapshot.wantsToPlay);
  const frame = Math.max(1, framesOf(frameSecondsOf(video)));
  const length = video.length ?? 0;
  // Outside these limits no part of the video would be shown with this part.
  const least = question.start - length;
  const most = question.end;
  const set = (offset: number): void => onDraft(Math.round(Math.min(most, Math.max(least, offset))));

  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    const sizes = new ResizeObserver(() => onHeight(element.offsetHeight));
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      onHeight(0);
    };
  }, [onHeight]);
  useEffect(() => {
    const opener = document.activeElement;
    root.current?.focus({ preventScroll: true });
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, []);

  /** The offset being tried; null once the panel is closed. */
  const latest = useRef<number | null>(draft);
  latest.current = draft;
  useEffect(() => () => {
    latest.current = null;
  }, []);

  const suggestion = alignment?.state === 'found' ? alignment.offset : null;
  const said = lateWords.video;
  const nudges = [
    [-framesOf(0.1), '−0.1-s', said.tenthBack], [-frame, '−1-frame', said.oneFrameBack], [frame, '+1-frame', said.oneFrameOn],
    [framesOf(0.1), '+0.1-s', said.tenthOn],
  ] as const;
  return (
    <section
      ref={root} className="offset-panel" role="dialog" aria-labelledby="offset-title" tabIndex={-1} data-testid="offset-panel"
      style={{ bottom }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
    >
      <div className="offset-head">
        <h2 id="offset-title">{said.setOffset}</h2>
        <IconButton icon="close" label={words.common.cancel} data-testid="offset-cancel" onClick={onClose} />
      </div>
      <p className="small-note" role="status">{told(alignment, video)}</p>
      <p className="offset-value time" data-testid="offset-value" data-offset={draft}>{atInVideo(question.start, draft)}</p>
      <input
        className="slider" type="range" min={-most} max={-least} step={480} value={-draft}
        aria-label={said.whereBegins} aria-valuetext={atInVideo(question.start, draft)}
        data-testid="offset-slider" onChange={(event) => set(-Number(event.target.value))}
      />
      <div className="offset-nudges" role="group" aria-label={said.nudges}>
        {nudges.map(([by, key, label]) => (
          <Button key={key} data-testid={`offset${key}`} onClick={() => set(draft - by)}>{label}</Button>
        ))}
      </div>
      <div className="offset-foot">
        <Button icon={isPlaying ? 'pause' : 'play'} data-testid="offset-play" onClick={() => player.toggle()}>
          {isPlaying ? words.player.pause : words.player.play}
        </Button>
        {suggestion !== null && suggestion !== draft && (
          <Button icon="spark" data-testid="offset-suggestion" onClick={() => set(suggestion)}>{said.useSuggestion}</Button>
        )}
        {video.hasSound !== 0 && alignment?.state !== 'waiting' && (
          <Button
            icon="retry" data-testid="offset-again"
            onClick={() => {
              void alignments.again(question).then((answer) => {
                // An offset that was moved by hand meanwhile stays.
                if (latest.current === draft && answer.state === 'found' && answer.isCertain) set(answer.offset);
              });
            }}
          >
            {said.findAgain}
          </Button>
        )}
        <Button
          kind="primary" data-testid="offset-done"
          onClick={() => {
            library.edit('part', part.id, { videoOffset: draft });
            onClose();
          }}
        >
          {words.common.done}
        </Button>
      </div>
    </section>
  );
}

function told(alignment: Alignment | null, video: Video): string {
  const said = lateWords.video;
  if (video.hasSound === 0) return said.noSound;
  switch (alignment?.state) {
    case 'waiting': return said.finding(percentText(100 * alignment.progress));
    case 'failed': return alignment.sentence;
    case 'found':
      return alignment.isCertain
        ? said.found
        : said.uncertain;
    default: return said.byHand;
  }
}
