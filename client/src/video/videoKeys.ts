// The keys of the floating video.

import type { KeyboardEvent } from 'react';
import { movedByKey } from './floatingBox';
import type { Floating } from './useFloating';
import type { FullScreen } from './useFullScreen';

interface VideoKeys {
  readonly floating: Floating;
  readonly full: FullScreen;
  readonly toggle: () => void;
  /** Steps by this many frames of the video. */
  readonly step: (frames: number) => void;
  readonly mirror: () => void;
  readonly openMenu: () => void;
}

/** Acts on a key that was pressed in the player, outside of its menu; returns whether the key is used. */
export function pressVideoKey(event: KeyboardEvent<HTMLElement>, keys: VideoKeys): boolean {
  const { floating: { box, move }, full } = keys;
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return false;
  if ((event.target as Element).closest('[role=menu]')) return false;
  const isFrame = event.target === event.currentTarget;
  const moved = isFrame && full.state === null && box ? movedByKey(box, event.key, event.shiftKey) : null;
  if (moved) move(moved);
  else if (event.key === 'Escape' && full.state === 'filling') full.leave();
  else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) keys.openMenu();
  else if (event.key === ',' || event.key === '.') keys.step(event.key === '.' ? 1 : -1);
  else if (event.key === ' ' && isFrame) keys.toggle();
  else if (event.key.toLowerCase() === 'm') keys.mirror();
  else if (event.key.toLowerCase() === 'f') full.toggle();
  else return false;
  return true;
}
