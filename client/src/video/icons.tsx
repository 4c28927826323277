// The icons of the video player, in the style of the app's; they load with it.

import type { ButtonHTMLAttributes } from 'react';

const outlines = {
  mirror: 'M12 3.5v17M8.5 7 3.5 16.5h5zM15.5 7l5 9.5h-5z',
  sound: 'M4 9.5v5h3.5l5 4.5V5l-5 4.5zM16 9a4.2 4.2 0 0 1 0 6M18.5 6.5a7.8 7.8 0 0 1 0 11',
  silent: 'M4 9.5v5h3.5l5 4.5V5l-5 4.5zM16.5 9.5l5 5M21.5 9.5l-5 5',
  follow: 'M9 17.5V6l9-2v9M9 17.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM13.5 19l2.3 2.3L20.5 16.5',
  large: 'M9 4H4.5v4.5M15 4h4.5v4.5M9 20H4.5v-4.5M15 20h4.5v-4.5',
  small: 'M4.5 9H9V4.5M19.5 9H15V4.5M4.5 15H9v4.5M19.5 15H15v4.5',
  window: 'M4.5 5h15A1.5 1.5 0 0 1 21 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5v-11A1.5 1.5 0 0 1 4.5 5zM12.5 12.5h5v3.5h-5z',
  loop: 'M6 8.5h10.5a3.5 3.5 0 0 1 0 9H7.5a3.5 3.5 0 0 1-3.2-5M9 5 5.5 8.5 9 12',
  frameBack: 'M15.5 6 9 12l6.5 6M5.5 6v12',
  frameOn: 'M8.5 6 15 12l-6.5 6M18.5 6v12',
  minus: 'M6 12h12',
  plus: 'M12 6v12M6 12h12',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  close: 'M6 6l12 12M18 6 6 18',
  corner: 'M19.5 8.5v11h-11M19.5 14v5.5H14',
} as const;

const solids = {
  play: 'M8 5.3c0-1.1 1.2-1.8 2.2-1.2l10 6.6c.9.6.9 1.9 0 2.5l-10 6.7c-1 .6-2.2-.1-2.2-1.2z',
  pause: 'M7.5 4h1.8c.7 0 1.2.5 1.2 1.2v13.6c0 .7-.5 1.2-1.2 1.2H7.5c-.7 0-1.2-.5-1.2-1.2V5.2c0-.7.5-1.2 1.2-1.2zM14.7 4h1.8c.7 0 1.2.5 1.2 1.2v13.6c0 .7-.5 1.2-1.2 1.2h-1.8c-.7 0-1.2-.5-1.2-1.2V5.2c0-.7.5-1.2 1.2-1.2z',
} as const;

/** The names of these icons. */
export type VideoIconName = keyof typeof outlines | keyof typeof solids;

/** Draws an icon; the control that holds it has the accessible name. */
export function VideoIcon({ name }: { name: VideoIconName }): JSX.Element {
  const solid = (solids as Partial<Record<VideoIconName, string>>)[name];
  const outline = (outlines as Partial<Record<VideoIconName, string>>)[name];
  return (
    <svg className="icon" viewBox="0 0 24 24" width={24} height={24} aria-hidden="true">
      {solid !== undefined && <path d={solid} fill="currentColor" />}
      {outline !== undefined && (
        <path
          d={outline} fill="none" stroke="currentColor" strokeWidth={name === 'more' ? 2.8 : 2}
          strokeLinecap="round" strokeLinejoin="round"
        />
      )}
    </svg>
  );
}

interface VideoButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly label: string;
  readonly icon: VideoIconName;
}

/** A button on the picture. */
export function VideoButton({ label, icon, className, ...rest }: VideoButtonProps): JSX.Element {
  return (
    <button
      type="button" aria-label={label} title={label} {...rest} className={`video-button ${className ?? ''}`}
    >
      <VideoIcon name={icon} />
    </button>
  );
}
