// Takes files that are dropped anywhere on the page. A sheet takes precedence over the page below
// it.

import { useLayoutEffect, useRef, useState } from 'react';
import { Mark } from './Icon';
import './dropZone.css';
import { words } from '../words/words';

interface DropZoneProps {
  readonly isAllowed: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  /** The text shown while files are dragged over the page. */
  readonly label?: string;
}

/** The zones on the page, in the order of their creation. */
const zones = new Set<number>();
let made = 0;

/**
 * Listens for files over the whole window, unless a sheet is above its own; shows what a drop does.
 */
export function DropZone({ isAllowed, onFiles, label = words.ui.dropSongs }: DropZoneProps): JSX.Element {
  const [isOver, setOver] = useState(false);
  const [zone] = useState(() => (made += 1));
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    zones.add(zone);
    return () => void zones.delete(zone);
  }, [zone]);

  // Before the page is painted: without a listener, a dropped file would replace the app.
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
      onFiles(files);
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
  }, [zone, isAllowed, onFiles]);

  return (
    <div className="drop-zone" ref={root} hidden={!isOver} aria-hidden="true">
      <div>
        <Mark size={96} />
        <p>{label}</p>
      </div>
    </div>
  );
}
