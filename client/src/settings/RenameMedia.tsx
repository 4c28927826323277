// Renaming a track or a video: only its title; its file keeps the name that it came with.

import { useState } from 'react';
import { useServices } from '../app/services';
import { LimitedField } from '../routines/LimitedField';
import { limits, type Track, type Video } from '../sync/records';
import { Button } from '../ui/Button';
import { Sheet } from '../ui/Sheet';
import { mediaName } from './media';

/** The sheet; what is typed is saved at once. */
export function RenameMedia({ media, onClose }: { media: Track | Video; onClose: () => void }): JSX.Element {
  const { library } = useServices();
  const [title, setTitle] = useState(mediaName(media));
  return (
    <Sheet
      title={`Rename ${media.type}`} size="small" onClose={onClose} testId="rename-track"
      footer={<Button kind="primary" onClick={onClose} data-testid="rename-done">Done</Button>}
    >
      <LimitedField
        label="Title" value={title} limit={limits[media.type].title} isFirst testId="track-title"
        onChange={(text) => {
          setTitle(text);
          if (text.trim() !== '') library.edit(media.type, media.id, { title: text.trim() });
        }}
      />
    </Sheet>
  );
}
