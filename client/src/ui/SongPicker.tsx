// Selects songs: with the system's picker, or by dropping them anywhere on the page.

import { useRef } from 'react';
import { Icon } from './Icon';
import './songPicker.css';
import { finePointer, useMedia } from './useMedia';
import { lateWords } from '../words/lateWords';

/** The file types that the picker offers; the server checks the content, not the name. */
export const audioFiles = 'audio/*,video/mp4,video/quicktime,video/webm,.mp3,.m4a,.aac,.wav,.flac,.ogg,.oga,.opus,.aif,.aiff,.wma,.caf,.amr,.mka';

interface SongPickerProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly isSmall: boolean;
}

/** The button that opens the picker. */
export function SongPicker({ onFiles, isSmall }: SongPickerProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const canDrop = useMedia(finePointer);
  return (
    <>
      <button
        type="button" className={isSmall ? 'song-picker is-small' : 'song-picker'}
        data-testid="add-songs" onClick={() => input.current?.click()}
      >
        <Icon name="upload" size={isSmall ? 20 : 28} />
        <span>{isSmall ? lateWords.ui.addMoreSongs : lateWords.ui.addSongs}</span>
        {!isSmall && <small>{canDrop ? lateWords.ui.chooseOrDrop : lateWords.ui.chooseSeveral}</small>}
      </button>
      <input
        ref={input} type="file" accept={audioFiles} multiple hidden tabIndex={-1}
        data-testid="song-files"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // The same file may be selected again after its removal.
          event.target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
