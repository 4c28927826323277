// The project's own icons: strokes on a grid of 24, in the text's colour.

const outlines = {
  routines: 'M5 4.5h14M7.5 9h9a2.5 2.5 0 0 1 2.5 2.5v5.5a2.5 2.5 0 0 1-2.5 2.5h-9A2.5 2.5 0 0 1 5 17v-5.5A2.5 2.5 0 0 1 7.5 9z',
  clipper: 'M8.2 8.3 20 18M8.2 15.7 20 6M6 9a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 6 9zM6 20.2a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2z',
  settings: 'M4 7h9M17.5 7H20M4 17h2.5M11 17h9M15.2 9.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM8.8 19.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z',
  back: 'M14.5 5 7.5 12l7 7',
  down: 'M5 9l7 7 7-7',
  up: 'M5 15l7-7 7 7',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  speed: 'M5 18a8.5 8.5 0 1 1 14 0M12 14.5l4-5M12 14.5h.01',
  pitch: 'M9.5 17.5V6l9-2v11.5M9.5 17.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM18.5 15.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z',
  run: 'M4 7.5h9M4 12h6M4 16.5h6M14 11.2v7.6l6-3.8z',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M5 12.5 10 17.5 19.5 7',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20 20',
  list: 'M4 6.5h16M4 12h16M4 17.5h16',
  two: 'M4.5 5h6v14h-6zM13.5 5h6v14h-6z',
  three: 'M3.5 5h4v14h-4zM10 5h4v14h-4zM16.5 5h4v14h-4z',
  sort: 'M7.5 5v14M4 15.5 7.5 19l3.5-3.5M16.5 19V5M13 8.5 16.5 5 20 8.5',
  grip: 'M9 6.5h.01M15 6.5h.01M9 12h.01M15 12h.01M9 17.5h.01M15 17.5h.01',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  warning: 'M12 4 2.8 19.5h18.4zM12 10v4.5M12 17h.01',
  offline: 'M4 4l16 16M7.5 18.5H7a4 4 0 0 1-1-7.9M9 6.2A6.5 6.5 0 0 1 18 11a3.8 3.8 0 0 1 2 6',
  audio: 'M4 10v4M8 6.5v11M12 9v6M16 4.5v15M20 10v4',
  stage: 'M4 8.5V5h3.5M20 8.5V5h-3.5M4 15.5V19h3.5M20 15.5V19h-3.5M8 10h8M9.5 14h5',
  mirror: 'M12 3.5v17M8.5 7 3.5 16.5h5zM15.5 7l5 9.5h-5z',
  microphone: 'M12 14.5a3 3 0 0 0 3-3v-5a3 3 0 0 0-6 0v5a3 3 0 0 0 3 3zM6 11.5a6 6 0 0 0 12 0M12 17.5v3M9 20.5h6',
  film: 'M4.5 5h15A1.5 1.5 0 0 1 21 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5v-11A1.5 1.5 0 0 1 4.5 5zM7.5 5v14M16.5 5v14M3 12h18',
  timer: 'M12 20.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM12 9v4l2.5 1.5M9.5 2.5h5',
  loop: 'M6 8.5h10.5a3.5 3.5 0 0 1 0 9H7.5a3.5 3.5 0 0 1-3.2-5M9 5 5.5 8.5 9 12',
  edit: 'M5 19l.8-4L16 4.8a1.7 1.7 0 0 1 2.4 0l.8.8a1.7 1.7 0 0 1 0 2.4L9 18.2zM14 7l3 3',
  copy: 'M9 8.5h8.5A1.5 1.5 0 0 1 19 10v8.5a1.5 1.5 0 0 1-1.5 1.5H9a1.5 1.5 0 0 1-1.5-1.5V10A1.5 1.5 0 0 1 9 8.5zM5 15.5V6A1.5 1.5 0 0 1 6.5 4.5H15',
  trash: 'M4.5 7h15M9.5 7V5.2A1.2 1.2 0 0 1 10.7 4h2.6a1.2 1.2 0 0 1 1.2 1.2V7M6.5 7l.8 11.6A1.5 1.5 0 0 0 8.8 20h6.4a1.5 1.5 0 0 0 1.5-1.4L17.5 7M10.5 11v5M13.5 11v5',
  download: 'M12 5v10.5M7.5 11l4.5 4.5 4.5-4.5M5 15.5v2A2.5 2.5 0 0 0 7.5 20h9a2.5 2.5 0 0 0 2.5-2.5v-2',
  history: 'M5 12a7 7 0 1 0 2.2-5.1M4.5 4v4.5H9M12 8.5V12l2.5 2',
  guide: 'M12 6.5C10 5 7 4.5 4 5v13c3-.5 6 0 8 1.5 2-1.5 5-2 8-1.5V5c-3-.5-6 0-8 1.5zM12 6.5v13',
  type: 'M4.5 5v6.5l8 8 7-7-8-8H5a.5.5 0 0 0-.5.5zM8.5 8.5h.01',
  next: 'M9.5 5l7 7-7 7',
  retry: 'M19 12a7 7 0 1 1-2.2-5.1M19.5 4v4.5H15',
  upload: 'M12 15.5V5M7.5 9.5 12 5l4.5 4.5M5 15.5v2A2.5 2.5 0 0 0 7.5 20h9a2.5 2.5 0 0 0 2.5-2.5v-2',
  keyboard: 'M4.5 6.5h15A1.5 1.5 0 0 1 21 8v8a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 16V8a1.5 1.5 0 0 1 1.5-1.5zM7 10.5h.01M10.3 10.5h.01M13.7 10.5h.01M17 10.5h.01M8 14h8',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.8v1.7M12 19.5v1.7M4.5 12H2.8M21.2 12h-1.7M6.7 6.7 5.5 5.5M18.5 18.5l-1.2-1.2M17.3 6.7l1.2-1.2M5.5 18.5l1.2-1.2',
  moon: 'M19.5 14A8 8 0 0 1 10 4.5a8 8 0 1 0 9.5 9.5z',
  system: 'M4.5 5h15A1.5 1.5 0 0 1 21 6.5v8a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 14.5v-8A1.5 1.5 0 0 1 4.5 5zM9 19.5h6M12 16v3.5',
  device: 'M8.5 3h7A1.5 1.5 0 0 1 17 4.5v15a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 7 19.5v-15A1.5 1.5 0 0 1 8.5 3zM9.8 12l1.7 1.7 2.9-3.2',
  phone: 'M8.5 3h7A1.5 1.5 0 0 1 17 4.5v15a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 7 19.5v-15A1.5 1.5 0 0 1 8.5 3zM11 18h2',
  people: 'M9 11.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4zM3 19a6 6 0 0 1 12 0M15.5 5.4a3.2 3.2 0 0 1 0 6M17.5 14a6 6 0 0 1 3.5 5',
  remote: 'M8 3.5h8A1.5 1.5 0 0 1 17.5 5v14a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 19V5A1.5 1.5 0 0 1 8 3.5zM12 12a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM10 15.5h.01M14 15.5h.01M12 17.8h.01',
  lead: 'M12 11.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6.5 19.5a5.5 5.5 0 0 1 11 0M5 4.5a7.5 7.5 0 0 0 0 8M19 4.5a7.5 7.5 0 0 1 0 8',
  mute: 'M4 10v4M8 8.5v7M4 4l16 16M12 11.5V15M16 4.5v9M20 10v4',
  print: 'M7 8.5V4h10v4.5M7 17H5.5A1.5 1.5 0 0 1 4 15.5V10a1.5 1.5 0 0 1 1.5-1.5h13A1.5 1.5 0 0 1 20 10v5.5a1.5 1.5 0 0 1-1.5 1.5H17M7 14h10v6H7z',
  pin: 'M9 4h6l-.8 6.2 3.3 3.3h-11l3.3-3.3zM12 13.5V20',
  share: 'M12 15V4M8 7.5 12 4l4 3.5M6.5 11h-1A1.5 1.5 0 0 0 4 12.5v6A1.5 1.5 0 0 0 5.5 20h13a1.5 1.5 0 0 0 1.5-1.5v-6a1.5 1.5 0 0 0-1.5-1.5h-1',
  calendar: 'M4 6h16v14H4zM4 11h16M8 3v3M16 3v3',
  progress: 'M4 19h4v-4h5v-5h4V5h3',
  caller: 'M5 5h14a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 19 16h-7l-4.5 4v-4H5a1.5 1.5 0 0 1-1.5-1.5v-8A1.5 1.5 0 0 1 5 5zM8 9.3h8M8 12.2h5',
  comment: 'M12 4.5c5 0 8.5 3 8.5 7s-3.5 7-8.5 7a11 11 0 0 1-3-.4L4.5 20l1-3.7a6.5 6.5 0 0 1-2-4.8c0-4 3.5-7 8.5-7z',
  goal: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 12h.01',
  spark: 'M12 3.5 14 10l6.5 2-6.5 2-2 6.5-2-6.5L3.5 12 10 10z',
} as const;

const solids = {
  play: 'M8 5.3c0-1.1 1.2-1.8 2.2-1.2l10 6.6c.9.6.9 1.9 0 2.5l-10 6.7c-1 .6-2.2-.1-2.2-1.2z',
  pause: 'M7.5 4h1.8c.7 0 1.2.5 1.2 1.2v13.6c0 .7-.5 1.2-1.2 1.2H7.5c-.7 0-1.2-.5-1.2-1.2V5.2c0-.7.5-1.2 1.2-1.2zM14.7 4h1.8c.7 0 1.2.5 1.2 1.2v13.6c0 .7-.5 1.2-1.2 1.2h-1.8c-.7 0-1.2-.5-1.2-1.2V5.2c0-.7.5-1.2 1.2-1.2z',
} as const;

/** The names of the icons. */
export type IconName = keyof typeof outlines | keyof typeof solids;

/** Draws an icon; it is hidden from screen readers, since its control has the name. */
export function Icon({ name, size = 24 }: { name: IconName; size?: number }): JSX.Element {
  const solid = (solids as Partial<Record<IconName, string>>)[name];
  const outline = (outlines as Partial<Record<IconName, string>>)[name];
  return (
    <svg className="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
      {solid !== undefined && <path d={solid} fill="currentColor" />}
      {outline !== undefined && (
        <path
          d={outline} fill="none" stroke="currentColor"
          strokeWidth={name === 'grip' || name === 'more' ? 2.8 : 2}
          strokeLinecap="round" strokeLinejoin="round"
        />
      )}
    </svg>
  );
}

/** A circular arrow with the seconds in it: back to the left, forward to the right. */
export function SeekIcon({ seconds, forward }: { seconds: number; forward: boolean }): JSX.Element {
  return (
    <svg className="icon" viewBox="0 0 32 32" width={42} height={42} aria-hidden="true">
      <g
        fill="none" stroke="currentColor" strokeWidth={2.3} strokeLinecap="round"
        strokeLinejoin="round" transform={forward ? undefined : 'translate(32 0) scale(-1 1)'}
      >
        <path d="M27 17A11 11 0 1 1 20.5 7" />
        <path d="M17 2.8 21.2 7.2 16.8 11.2" />
      </g>
      <text
        x="16" y="21" textAnchor="middle" fill="currentColor" fontWeight="700"
        fontSize={String(seconds).length > 2 ? 8 : 11}
      >
        {seconds}
      </text>
    </svg>
  );
}

/** An arrow to a line, where an eight begins: back to the left, forward to the right. */
export function EightIcon({ forward }: { forward: boolean }): JSX.Element {
  return (
    <svg className="icon" viewBox="0 0 32 32" width={42} height={42} aria-hidden="true">
      <path
        d="M8 23.5h15M17.5 18l5.5 5.5-5.5 5.5M27 17v13" fill="none" stroke="currentColor" strokeWidth={2.3}
        strokeLinecap="round" strokeLinejoin="round" transform={forward ? undefined : 'translate(32 0) scale(-1 1)'}
      />
      <text x="16" y="14.5" textAnchor="middle" fill="currentColor" fontWeight="700" fontSize={14}>{'8'}</text>
    </svg>
  );
}

/** The bars of A and B with an arrow between them; an unset marker is faint. */
export function SectionIcon({ hasA, hasB }: { hasA: boolean; hasB: boolean }): JSX.Element {
  return (
    <svg className="icon" viewBox="0 0 36 32" width={42} height={37} aria-hidden="true">
      <rect x="4" y="5" width="5" height="22" rx="2.5" className="fill-a" opacity={hasA ? 1 : 0.45} />
      <rect x="27" y="5" width="5" height="22" rx="2.5" className="fill-b" opacity={hasB ? 1 : 0.45} />
      <path
        d="M23.5 16h-10M17.5 11.5 13 16l4.5 4.5" fill="none" stroke="currentColor" strokeWidth="2.4"
        strokeLinecap="round" strokeLinejoin="round"
      />
    </svg>
  );
}

/** The logo: two upright bars, A and B, joined by a small wave. */
export function Mark({ size = 32 }: { size?: number }): JSX.Element {
  return (
    <svg className="mark" viewBox="4 4 24 24" width={size} height={size} aria-hidden="true">
      <path
        d="M9.5 16c2.1-4 4.3-4 6.5 0s4.4 4 6.5 0" fill="none" stroke="currentColor"
        strokeWidth="2" strokeLinecap="round"
      />
      <rect x="5" y="6" width="4.5" height="20" rx="2.25" className="fill-a" />
      <rect x="22.5" y="6" width="4.5" height="20" rx="2.25" className="fill-b" />
    </svg>
  );
}
