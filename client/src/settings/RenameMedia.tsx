// Renaming a track or a video: only its title; its file keeps the original name.

import { useServices } from '../services/services';
import type { Track, Video } from '../sync/records';
import { limits } from '../sync/validation';
import { RenameSheet } from '../ui/RenameSheet';
import { lateWords } from '../words/lateWords';
import { mediaName } from './media';

/** The sheet. */
export function RenameMedia({ media, onClose }: { media: Track | Video; onClose: () => void }): JSX.Element {
  const { library } = useServices();
  const { settings } = lateWords;
  return (
    <RenameSheet
      title={media.type === 'track' ? settings.renameTrack : settings.renameVideo} label={settings.title} id={media.id}
      name={mediaName(media)} limit={limits[media.type].title} testId="rename-track" onClose={onClose}
      save={(title) => library.edit(media.type, media.id, { title })}
    />
  );
}
