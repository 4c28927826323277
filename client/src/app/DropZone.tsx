// Files dropped anywhere on the page begin a routine, or join the one being made; in the clipper they
// are songs for its list.

import { useLayoutEffect, useState } from 'react';
import { Mark } from '../ui/Icon';
import './dropZone.css';
import { useServices } from './services';

interface DropZoneProps {
  readonly isAllowed: boolean;
  /** Takes the files; null: they become a routine. */
  readonly onFiles: ((files: readonly File[]) => void) | null;
  /** What the page says while files hover over it. */
  readonly label?: string;
}

/** Listens for files over the whole window; while they hover, the page says what dropping does. */
export function DropZone({ isAllowed, onFiles, label = 'Drop your songs' }: DropZoneProps): JSX.Element | null {
  const { drafts, navigation } = useServices();
  const [isOver, setOver] = useState(false);

  // Before the page is painted: a file that is dropped on a page that nobody listens to replaces the app.
  useLayoutEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      // Without this the browser would leave the app and open the file.
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = isAllowed ? 'copy' : 'none';
      setOver(isAllowed);
    };
    const left = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const dropped = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (!isAllowed || files.length === 0) return;
      if (onFiles) {
        onFiles(files);
        return;
      }
      void drafts.open().addFiles(files);
      navigation.open('create');
    };
    window.addEventListener('dragenter', over);
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', left);
    window.addEventListener('drop', dropped);
    return () => {
      window.removeEventListener('dragenter', over);
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', left);
      window.removeEventListener('drop', dropped);
    };
  }, [drafts, navigation, isAllowed, onFiles]);

  if (!isOver) return null;
  return (
    <div className="drop-zone" aria-hidden="true">
      <div>
        <Mark size={96} />
        <p>{label}</p>
      </div>
    </div>
  );
}
