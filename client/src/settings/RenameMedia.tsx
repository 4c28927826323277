// Renaming a track or a video: only its title; its file keeps the original name.

import { useServices } from '../services/services';
import { SavedField } from '../ui/LimitedField';
import type { Track, Video } from '../sync/records';
import { limits } from '../sync/validation';
import { Button } from '../ui/Button';
import { Sheet } from '../ui/Sheet';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { mediaName } from './media';

/** The sheet; input is saved at once. */
export function RenameMedia({ media, onClose }: { media: Track | Video; onClose: () => void }): JSX.Element {
  const { library } = useServices();
  const { settings } = lateWords;
  return (
    <Sheet
      title={media.type === 'track' ? settings.renameTrack : settings.renameVideo} size="small" onClose={onClose} testId="rename-track"
      footer={<Button kind="primary" onClick={onClose} data-testid="rename-done">{words.common.done}</Button>}
    >
      <SavedField
        label={settings.title} id={media.id} value={mediaName(media)} limit={limits[media.type].title} isRequired
        isFirst testId="track-title" save={(title) => library.edit(media.type, media.id, { title })}
      />
    </Sheet>
  );
}
