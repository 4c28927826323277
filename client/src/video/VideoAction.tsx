// The button with the film: chooses a part's video, or shows and hides it. Held, it opens a menu.

import { useState } from 'react';
import { useServices } from '../services/services';
import type { Part } from '../sync/records';
import { remember, remembered } from '../ui/device';
import { useLongPress } from '../ui/useLongPress';
import { IconButton } from '../ui/Button';

/** Whether the video and its menu are open. */
export interface VideoSwitch {
  readonly isShown: boolean;
  readonly show: (isShown: boolean) => void;
  readonly isMenuOpen: boolean;
  readonly openMenu: (isOpen: boolean) => void;
}

let wasNeeded = false;

/** Whether the video's own script is needed: once it was, what is on its way through it has to be seen. */
export function needsVideo(isNow: boolean): boolean {
  wasNeeded ||= isNow;
  return wasNeeded;
}

/** Keeps that for a routine's page; whether the video is shown is remembered on the device. */
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
  const choose = (): void => navigation.open('video');
  const handlers = useLongPress(
    () => (part.video ? video.show(!video.isShown) : choose()),
    () => (part.video ? video.openMenu(true) : choose()));
  return (
    <div className="menu-holder" data-video-menu="">
      <IconButton
        icon={part.video ? 'play' : 'film'} {...handlers} data-testid="action-video"
        aria-pressed={part.video ? video.isShown : undefined}
        label={part.video ? (video.isShown ? 'Hide the video' : 'Show the video') : 'Add a video'}
      />
    </div>
  );
}
