// Renaming a track: only its title; its file keeps the name that it came with.

import { useState } from 'react';
import { useServices } from '../app/services';
import { LimitedField } from '../routines/LimitedField';
import { limits, type Track } from '../sync/records';
import { Button } from '../ui/Button';
import { Sheet } from '../ui/Sheet';
import { trackName } from './media';

/** The sheet; what is typed is saved at once. */
export function RenameTrack({ track, onClose }: { track: Track; onClose: () => void }): JSX.Element {
  const { library } = useServices();
  const [title, setTitle] = useState(trackName(track));
  return (
    <Sheet
      title="Rename track" size="small" onClose={onClose} testId="rename-track"
      footer={<Button kind="primary" onClick={onClose} data-testid="rename-done">Done</Button>}
    >
      <LimitedField
        label="Title" value={title} limit={limits.track.title} isFirst testId="track-title"
        onChange={(text) => {
          setTitle(text);
          if (text.trim() !== '') library.edit('track', track.id, { title: text.trim() });
        }}
      />
    </Sheet>
  );
}
