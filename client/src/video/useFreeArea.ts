// The area that the window, the phone's safe areas, the head of the page, the audio player and a panel
// leave for the video.

import { useLayoutEffect, useState } from 'react';
import { roomAbove, type Box } from './floatingBox';

/** The window and the free area in it. */
export interface FreeArea {
  readonly window: { readonly width: number; readonly height: number };
  /** Null if there is none. */
  readonly room: Box | null;
  /** The height of the audio player at the window's lower edge. */
  readonly bottom: number;
  /** Whether the large player stands below, on an upright phone: the video has all the room above it. */
  readonly isAbovePlayer: boolean;
}

/** Measures again when the size of the window, the head, the audio player or the panel changes. */
export function useFreeArea(panelHeight: number): FreeArea {
  const [room, setRoom] = useState(() => measured(panelHeight));
  useLayoutEffect(() => {
    const measure = (): void => setRoom((before) => {
      const now = measured(panelHeight);
      return JSON.stringify(now) === JSON.stringify(before) ? before : now;
    });
    const sizes = new ResizeObserver(measure);
    let watched: Element | null = null;
    const watch = (): void => {
      const player = playerElement();
      if (player !== watched) {
        sizes.disconnect();
        const head = headElement();
        if (head) sizes.observe(head);
        if (player) sizes.observe(player);
        watched = player;
      }
      measure();
    };
    // The player is added, removed and replaced as a child of the page.
    const changes = new MutationObserver(watch);
    const page = document.querySelector('.practice');
    if (page) changes.observe(page, { childList: true });
    watch();
    window.addEventListener('resize', measure);
    return () => {
      sizes.disconnect();
      changes.disconnect();
      window.removeEventListener('resize', measure);
    };
  }, [panelHeight]);
  return room;
}

const uprightPhone = '(max-width: 36rem) and (min-height: 30.01rem)';

function playerElement(): HTMLElement | null {
  return document.querySelector<HTMLElement>('.player');
}

function headElement(): HTMLElement | null {
  return document.querySelector<HTMLElement>('.practice-head');
}

/** The lower edge of the buttons at the top of the page; 0 while the large player lies over them. */
function headBottom(player: HTMLElement | null): number {
  return player?.dataset['mode'] === 'expanded' ? 0 : headElement()?.getBoundingClientRect().bottom ?? 0;
}

function measured(panelHeight: number): FreeArea {
  const window = { width: globalThis.innerWidth, height: globalThis.innerHeight };
  const style = getComputedStyle(document.documentElement);
  const edge = (name: string): number => parseFloat(style.getPropertyValue(name)) || 0;
  const player = playerElement();
  const edges = { top: Math.max(edge('--safe-top'), headBottom(player)), left: edge('--safe-left'), right: edge('--safe-right') };
  // Not its rectangle, which is still animated while the large player opens.
  const bottom = player?.offsetHeight ?? 0;
  const isExpanded = player?.dataset['mode'] === 'expanded';
  return {
    window, room: roomAbove(window, edges, bottom + panelHeight), bottom,
    isAbovePlayer: isExpanded && matchMedia(uprightPhone).matches,
  };
}
