// One part: its moves, or instructions while it has none.

import { useFromLibrary, useServices } from '../services/services';
import { Tip } from '../guide/Tip';
import { MoveList, MoveOverview } from '../moves/MoveList';
import type { Part } from '../sync/records';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import type { Layout } from '../ui/layout';
import { partAudio } from '../parts/partAudio';
import './partPage.css';

interface PartPageProps {
  readonly part: Part;
  readonly isFirst: boolean;
  readonly overview: Layout;
}

/** The content of a part's page. */
export function PartPage({ part, isFirst, overview }: PartPageProps): JSX.Element {
  const moves = useFromLibrary((library) => library.moves(part.id));
  return (
    <>
      <h2 className="only-spoken">{part.title}</h2>
      <AudioNote part={part} />
      {moves.length === 0 && (isFirst ? <Guide /> : <NoMoves />)}
      {moves.length > 1 && overview === 'list' && (
        <Tip name="moves">Hold a move and drag it to reorder. Hold its number to delete it.</Tip>
      )}
      {moves.length > 0 && (overview === 'list'
        ? <MoveList moves={moves} />
        : <MoveOverview moves={moves} overview={overview} />)}
    </>
  );
}

/** Reports in place that a part's audio is missing or broken. */
function AudioNote({ part }: { part: Part }): JSX.Element | null {
  const track = useFromLibrary((library) => (part.track ? library.get('track', part.track) : undefined));
  const audio = partAudio(part, track);
  // The player shows the preparation of audio: a note here would shift the moves.
  if (audio.kind === 'ready' || audio.kind === 'importing') return null;
  return (
    <p className="audio-note" role="status" data-testid="audio-problem">
      <Icon name="warning" size={20} />
      <span dir="auto">{audio.sentence}</span>
    </p>
  );
}

function NoMoves(): JSX.Element {
  return (
    <div className="no-moves" data-testid="no-moves">
      <p>No moves</p>
      <AddFirst />
    </div>
  );
}

function AddFirst(): JSX.Element {
  const { navigation } = useServices();
  return (
    <Button
      kind="primary" icon="plus" data-testid="add-first-move" onClick={() => navigation.open('addMove')}
    >
      Add the first move
    </Button>
  );
}

function Guide(): JSX.Element {
  return (
    <div className="guide" data-testid="guide">
      <h2>Ready to practise</h2>
      <ul>
        <li><span className="guide-icon"><Icon name="plus" size={20} /></span>Adds the moves of this part, one after the other.</li>
        <li><span className="guide-icon"><Icon name="list" size={20} /></span>Shows moves as a list or at a glance, in columns.</li>
        <li><span className="guide-icon"><Icon name="audio" size={20} /></span>Hides the player, for more room.</li>
        <li><span className="guide-icon"><Icon name="film" size={20} /></span>Adds a video that follows the music.</li>
        <li><span className="guide-icon"><Icon name="play" size={20} /></span>Press play below. Tap the player to make it large.</li>
        <li><span className="guide-icon"><b className="word-a">A</b>–<b className="word-b">B</b></span>Set A, then B while listening: that stretch repeats.</li>
        <li><span className="guide-icon"><Icon name="timer" size={20} /></span>A countdown gives you time to get into place.</li>
      </ul>
      <AddFirst />
    </div>
  );
}
