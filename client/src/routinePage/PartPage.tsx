// One part: its moves, or instructions while it has none.

import { useFromLibrary, useMayEdit, useServices } from '../services/services';
import { Tip } from '../guide/Tip';
import { moveEightsView, readMovesView } from '../moves/lazy';
import { MoveList } from '../moves/MoveList';
import { MoveOverview } from '../moves/MoveOverview';
import type { Part } from '../sync/records';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import type { MovesLayout } from '../ui/layout';
import { partAudio } from '../parts/partAudio';
import { words } from '../words/words';
import './partPage.css';

interface PartPageProps {
  readonly part: Part;
  readonly isFirst: boolean;
  /** Whether it is the one on the screen; its neighbours are rendered, too. */
  readonly isShown: boolean;
  readonly overview: MovesLayout;
}

/** The content of a part's page. */
export function PartPage({ part, isFirst, isShown, overview }: PartPageProps): JSX.Element {
  const moves = useFromLibrary((library) => library.moves(part.id));
  const mayEdit = useMayEdit(part.routine);
  /** The guide is for those who have not written a move anywhere yet. */
  const isNew = useFromLibrary((library) => library.all('move').length === 0);
  return (
    <>
      <h2 className="only-spoken">{part.title}</h2>
      <AudioNote part={part} />
      {moves.length === 0 && (isFirst && isNew && mayEdit ? <Guide /> : <NoMoves mayEdit={mayEdit} />)}
      {moves.length > 1 && overview === 'list' && mayEdit && (
        <Tip name="moves">{words.routinePage.movesTip}</Tip>
      )}
      {moves.length > 0 && overview === 'eights' && <moveEightsView.Page part={part} moves={moves} isShown={isShown} />}
      {moves.length > 0 && overview !== 'eights' && (overview === 'list'
        ? mayEdit
          ? <MoveList part={part} moves={moves} isShown={isShown} />
          : <readMovesView.Page part={part} moves={moves} isShown={isShown} />
        : <MoveOverview part={part} moves={moves} isShown={isShown} overview={overview} />)}
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

function NoMoves({ mayEdit }: { mayEdit: boolean }): JSX.Element {
  return (
    <div className="no-moves" data-testid="no-moves">
      <p>{words.routinePage.moves}</p>
      {mayEdit && <AddFirst />}
    </div>
  );
}

function AddFirst(): JSX.Element {
  const { navigation } = useServices();
  return (
    <Button
      kind="primary" icon="plus" data-testid="add-first-move" onClick={() => navigation.open('addMove')}
    >
      {words.routinePage.addFirst}
    </Button>
  );
}

function Guide(): JSX.Element {
  return (
    <div className="guide" data-testid="guide">
      <h2>{words.routinePage.guide}</h2>
      <ul>
        <li><span className="guide-icon"><Icon name="play" size={20} /></span>{words.routinePage.guidePlay}</li>
        <li><span className="guide-icon"><b className="word-a">{'A'}</b>–<b className="word-b">{'B'}</b></span>{words.routinePage.guideLoop}</li>
        <li><span className="guide-icon"><Icon name="plus" size={20} /></span>{words.routinePage.guideMoves}</li>
      </ul>
      <AddFirst />
    </div>
  );
}
