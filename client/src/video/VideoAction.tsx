// The video button: chooses a part's video, or shows and hides it. A long press opens a menu.

import { useState } from 'react';
import { useMayEdit, useServices } from '../services/services';
import type { Part } from '../sync/records';
import { remember, remembered } from '../ui/device';
import { useLongPress } from '../ui/useLongPress';
import { IconButton } from '../ui/Button';
import { words } from '../words/words';

/** Whether the video and its menu are open. */
export interface VideoSwitch {
  readonly isShown: boolean;
  readonly show: (isShown: boolean) => void;
  readonly isMenuOpen: boolean;
  readonly openMenu: (isOpen: boolean) => void;
}

let wasNeeded = false;

/**
 * Whether the video script is needed. Once it was, it stays needed, so that running uploads remain
 * visible.
 */
export function needsVideo(isNow: boolean): boolean {
  wasNeeded ||= isNow;
  return wasNeeded;
}

/** Keeps that state for a routine's page; the device remembers whether the video is shown. */
export function useVideoSwitch(): VideoSwitch {
  const [isShown, setShown] = useState(() => remembered('video') === 'shown');
  const [isMenuOpen, openMenu] = useState(false);
  const show = (next: boolean): void => {
    remember('video', next ? 'shown' : 'hidden');
    setShown(next);
  };
  return { isShown, show, isMenuOpen, openMenu };
}

interface VideoActionProps {
  readonly part: Part;
  readonly video: VideoSwitch;
}

/** The button. */
export function VideoAction({ part, video }: VideoActionProps): JSX.Element {
  const { navigation } = useServices();
  const mayEdit = useMayEdit(part.routine);
  const choose = (): void => navigation.open('video');
  const handlers = useLongPress(
    () => (part.video ? video.show(!video.isShown) : choose()),
    () => (!mayEdit ? video.show(!video.isShown) : part.video ? video.openMenu(true) : choose()));
  return (
    <div className="menu-holder" data-video-menu="">
      <IconButton
        icon="film" {...handlers} data-testid="action-video"
        aria-pressed={part.video ? video.isShown : undefined}
        label={part.video ? (video.isShown ? words.video.hide : words.video.show) : words.video.add}
      />
    </div>
  );
}
