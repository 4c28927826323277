// One song in the clipper, at its own address: loads the data for cutting, or shows what is
// missing.

import { useFromLibrary, useLibraryStatus, useServices } from '../services/services';
import { Button } from '../ui/Button';
import { lateWords } from '../words/lateWords';
import { Cutter } from './Cutter';

interface CutPageProps {
  readonly trackId: string;
  /** The part whose borders are edited, if the page was opened from one. */
  readonly partId: string | null;
}

/** The page of a song, or of a part's borders. */
export function CutPage({ trackId, partId }: CutPageProps): JSX.Element {
  const { navigation } = useServices();
  const track = useFromLibrary((library) => library.get('track', trackId));
  const part = useFromLibrary((library) => (partId === null ? undefined : library.get('part', partId)));
  const { loaded } = useLibraryStatus();
  const said = lateWords.clipper;
  const isHere = track !== undefined && (partId === null || part?.track === trackId);
  if (isHere && track.state === 'ready' && track.lengthFrames) {
    return <Cutter track={track} part={part ?? null} />;
  }
  if (!loaded || (isHere && track.state === 'importing')) {
    return (
      <main className="page-message" aria-busy="true">
        <p role="status">{isHere ? said.songPreparing : ''}</p>
      </main>
    );
  }
  return (
    <main className="page-message" data-testid="cutter-missing">
      <h1>{partId === null ? said.noSong : said.noPart}</h1>
      <p>{track?.problem ?? said.maybeDeleted}</p>
      <Button kind="primary" icon="back" onClick={() => navigation.leave({ page: 'clipper' })}>{said.allSongs}</Button>
    </main>
  );
}
