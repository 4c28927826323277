// Files dropped anywhere on the page begin a routine, or join the one being made; in the clipper they
// are songs for its list. A sheet takes those that are meant for it, and keeps all from the page.

import { useLayoutEffect, useRef, useState } from 'react';
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

/** Those on the page, by their age. */
const zones = new Set<number>();
let made = 0;

/** Listens for files over the whole window, unless a sheet lies over its own; says what dropping does. */
export function DropZone({ isAllowed, onFiles, label = 'Drop your songs' }: DropZoneProps): JSX.Element {
  const { drafts, navigation } = useServices();
  const [isOver, setOver] = useState(false);
  const [zone] = useState(() => (made += 1));
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    zones.add(zone);
    return () => void zones.delete(zone);
  }, [zone]);

  // Before the page is painted: a file that is dropped on a page that nobody listens to replaces the app.
  useLayoutEffect(() => {
    const concerns = (event: DragEvent): boolean =>
      zone === Math.max(...zones) && (event.dataTransfer?.types.includes('Files') ?? false);
    const takes = (): boolean => {
      const sheets = document.querySelectorAll('dialog[open]');
      return isAllowed && root.current?.closest('dialog') === (sheets[sheets.length - 1] ?? null);
    };
    const over = (event: DragEvent): void => {
      if (!concerns(event)) return;
      // Without this the browser would leave the app and open the file.
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = takes() ? 'copy' : 'none';
      setOver(takes());
    };
    const left = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const dropped = (event: DragEvent): void => {
      if (!concerns(event)) return;
      event.preventDefault();
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (!takes() || files.length === 0) return;
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
  }, [drafts, navigation, zone, isAllowed, onFiles]);

  return (
    <div className="drop-zone" ref={root} hidden={!isOver} aria-hidden="true">
      <div>
        <Mark size={96} />
        <p>{label}</p>
      </div>
    </div>
  );
}
