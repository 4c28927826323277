// The words of the stage view: the number, the move that is danced, the next one, the part, and what is left.

import { useLayoutEffect, useRef, useState } from 'react';
import type { Part } from '../sync/records';
import { useFromLibrary } from '../services/services';
import { WeakMark } from '../parts/WeakMark';
import { Icon } from '../ui/Icon';
import { lateWords } from '../words/lateWords';
import { Fitted } from './Fitted';
import { isBeside } from './fitting';
import { useStage, type StageNow, type StageSource } from './useStage';

interface StageWordsProps {
  readonly source: StageSource;
  /** Whether nothing plays, or what plays is still loading. */
  readonly rest: 'paused' | 'loading' | null;
  /** Called with what is shown, when that changes. */
  readonly onNow: (now: StageNow) => void;
}

/** The next move is never as large as the current one. */
const nextShare = 0.8;
/** The least type of a list of moves, in pixels: a longer list moves along with the part. */
const leastInList = 24;

const titled = (part: Part | undefined, index: number): string => (part ? `${index + 1}. ${part.title}` : '');

/** All words. */
export function StageWords({ source, rest, onNow }: StageWordsProps): JSX.Element {
  const room = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLElement>(null);
  const [layout, setLayout] = useState<'beside' | 'above'>('above');
  const [size, setSize] = useState(Infinity);
  const now = useStage(source, ({ all, part }) => {
    if (bar.current) bar.current.style.transform = `scaleX(${all})`;
    const list = room.current?.querySelector('.stageview-list');
    if (list) list.scrollTop = (1 - part) * (list.scrollHeight - list.clientHeight);
  });
  useLayoutEffect(() => onNow(now), [now, onNow]);
  useLayoutEffect(() => {
    const element = room.current;
    if (!element) return undefined;
    const measure = (): void => setLayout(isBeside({ width: element.clientWidth, height: element.clientHeight }) ? 'beside' : 'above');
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const { index, isFollowing, current, next, nextIndex, isWaiting, number } = now;
  const part = source.parts[index];
  const moves = useFromLibrary((library) => library.moves(part?.id ?? ''));
  const isList = !isFollowing && moves.length > 0;
  const main = isFollowing ? current?.title ?? '' : part?.title ?? '';
  const nextPart = nextIndex === null ? '' : titled(source.parts[nextIndex], nextIndex);
  const said = lateWords.stage;
  return (
    <div
      className="stageview-words" ref={room} data-testid="stage-words" data-layout={layout}
      data-kind={isWaiting ? 'waiting' : isList ? 'list' : 'moves'}
    >
      <Fitted className="stageview-part" fitKey={titled(part, index)} testId="stage-part">{titled(part, index)}</Fitted>
      <div className="stageview-bar" aria-hidden="true"><i ref={bar} data-testid="stage-left" /></div>
      <div className="stageview-number">
        {/* Digits are of equal width. */}
        <Fitted className="time" fitKey={number.replace(/\d/g, '8')} testId="stage-number">
          <span aria-hidden="true">{number}</span>
        </Fitted>
        <span className="stageview-rest" data-testid="stage-rest" data-rest={rest ?? 'none'}>
          {rest && <Icon name="play" size={48} />}
        </span>
      </div>
      {isList
        ? (
          <Fitted
            className="stageview-list" testId="stage-list" isList least={leastInList}
            fitKey={`${layout}${JSON.stringify(moves.map(({ title }) => title))}`}
          >
            <ol
              className={layout === 'beside' && moves.length > 6 ? 'is-double' : ''}
              style={{ gridTemplateRows: `repeat(${Math.ceil(moves.length / 2)}, auto)` }}
            >
              {moves.map(({ id, title, moveType }) => (
                <li key={id} dir="auto"><Colour type={moveType ?? null} />{title}</li>
              ))}
            </ol>
          </Fitted>
        )
        : !isWaiting && (
          <Fitted className="stageview-current" testId="stage-current" fitKey={main} onSize={setSize}>
            {main !== '' && <bdi className="only-spoken">{said.now}</bdi>}
            {main}
          </Fitted>
        )}
      {isFollowing && current && <div className="stageview-weak"><WeakMark id={current.id} /></div>}
      {(next ?? nextIndex) !== null && (
        <div className="stageview-next">
          <Colour type={next?.moveType ?? null} />
          {next && <WeakMark id={next.id} />}
          <Fitted
            className="stageview-next-words" testId="stage-next" fitKey={`${next?.title}${nextPart}`}
            most={isWaiting || isList || main === '' ? undefined : Math.round(size * nextShare)}
          >
            <bdi className="only-spoken">{said.next}</bdi>
            {next?.title ?? nextPart}
            {next && nextPart !== '' && <small dir="auto">{nextPart}</small>}
          </Fitted>
        </div>
      )}
    </div>
  );
}

/** The colour of a move's type. */
function Colour({ type }: { type: string | null }): JSX.Element {
  const colour = useFromLibrary((library) => (type === null ? null : library.get('moveType', type)?.colour ?? null));
  return <i className="stageview-colour" style={colour === null ? undefined : { backgroundColor: colour }} />;
}
