// One part: its moves, or what to do while it has none.

import { useFromLibrary } from '../app/services';
import type { Part } from '../sync/records';
import { Icon } from '../ui/Icon';
import { MoveCard } from './MoveCard';
import './moves.css';
import type { Overview } from './overview';
import { partAudio } from './partAudio';

interface PartPageProps {
  readonly part: Part;
  readonly isFirst: boolean;
  readonly overview: Overview;
}

/** The content of a part's page. */
export function PartPage({ part, isFirst, overview }: PartPageProps): JSX.Element {
  const moves = useFromLibrary((library) => library.moves(part.id));
  return (
    <>
      <AudioNote part={part} />
      {moves.length > 0
        ? (
          <ol className={`moves moves-${overview}`} data-testid="moves" data-layout={overview}>
            {moves.map((move, at) => (
              <MoveCard key={move.id} move={move} number={at + 1} isBrief={overview !== 'list'} />
            ))}
          </ol>
        )
        : isFirst ? <Guide /> : <p className="no-moves" data-testid="no-moves">No moves</p>}
    </>
  );
}

/** Says in place that a part's audio is missing or broken. */
function AudioNote({ part }: { part: Part }): JSX.Element | null {
  const track = useFromLibrary((library) => (part.track ? library.get('track', part.track) : undefined));
  const audio = partAudio(part, track);
  // Audio that is being prepared says so in the player: a note here would push the moves about.
  if (audio.kind === 'ready' || audio.kind === 'importing') return null;
  return (
    <p className="audio-note" role="status" data-testid="audio-problem">
      <Icon name="warning" size={20} />
      <span dir="auto">{audio.sentence}</span>
    </p>
  );
}

function Guide(): JSX.Element {
  return (
    <div className="guide" data-testid="guide">
      <h2>Ready to practise</h2>
      <ul>
        <li><span className="guide-icon"><Icon name="play" size={20} /></span>Press play below. Tap the player to make it large.</li>
        <li><span className="guide-icon"><b className="word-a">A</b>–<b className="word-b">B</b></span>Set A, then B while listening: that stretch repeats.</li>
        <li><span className="guide-icon"><Icon name="timer" size={20} /></span>A countdown gives you time to get into place.</li>
        <li><span className="guide-icon"><Icon name="audio" size={20} /></span>Hides the player, for more room.</li>
        <li><span className="guide-icon"><Icon name="list" size={20} /></span>Shows moves as a list or in columns.</li>
      </ul>
      <p>Swipe sideways for the next part.</p>
    </div>
  );
}
