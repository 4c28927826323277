// The addresses of the app: parsing and formatting of paths. Pure.

/** A place in the app that has an address. */
export type Route =
  | { readonly page: 'routines' }
  | { readonly page: 'routine'; readonly routineId: string; readonly partId: string | null }
  | { readonly page: 'progress'; readonly routineId: string }
  | { readonly page: 'clipper'; readonly trackId?: string; readonly partId?: string }
  | { readonly page: 'settings'; readonly room?: SettingsSection }
  /** Pairing with a code; the history never contains the token. */
  | { readonly page: 'pair'; readonly token: string }
  /** Back from the provider where somebody has signed in; the history never contains what it sent. */
  | { readonly page: 'signIn'; readonly query: string }
  | { readonly page: 'install' };

/** The pages within the settings. */
const settingsRooms = [
  'routines', 'move-types', 'media', 'storage', 'devices', 'people', 'groups', 'appearance', 'countdown', 'player',
  'practice-log', 'sound-delay', 'guide', 'notifications',
] as const;

export type SettingsSection = (typeof settingsRooms)[number];

const isSettingsRoom = (name: string): name is SettingsSection => (settingsRooms as readonly string[]).includes(name);

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A malformed escape is kept as raw text, which matches no record, and the page reports that.
    return segment;
  }
};

/** Returns the id in the path of a page that was opened by a link, else null; the rest of such a path is a route. */
export function linkIdOf(path: string): string | null {
  return /^\/l\/([0-9a-f-]{36})(?:\/|$)/.exec(path)?.[1] ?? null;
}

/** Returns the beginning of the paths of a link. */
export const linkBase = (id: string): string => `/l/${id}`;

/** Parses a path, the text after its #, and its query; an unknown path is the list of routines. */
export function parseRoute(path: string, hash = '', query = ''): Route {
  const segments = path.split('/').filter((segment) => segment !== '').map(decoded);
  const [first, second, third, fourth] = segments;
  if (first === 'routines' && second !== undefined) {
    if (third === 'progress') return { page: third, routineId: second };
    return { page: 'routine', routineId: second, partId: third === 'parts' ? fourth ?? null : null };
  }
  if (first === 'settings' && second !== undefined && isSettingsRoom(second)) {
    return { page: first, room: second };
  }
  if (first === 'clipper' && second !== undefined) {
    return third === 'parts' && fourth !== undefined
      ? { page: first, trackId: second, partId: fourth }
      : { page: first, trackId: second };
  }
  if (first === 'pair') return { page: first, token: hash.slice(1) };
  if (first === 'sign-in') return { page: 'signIn', query };
  if (first === 'clipper' || first === 'settings' || first === 'install') return { page: first };
  return { page: 'routines' };
}

/** Formats the path of a place. */
export function pathOf(route: Route): string {
  switch (route.page) {
    case 'routines':
      return '/';
    case 'routine': {
      const routine = `/routines/${encodeURIComponent(route.routineId)}`;
      return route.partId === null ? routine : `${routine}/parts/${encodeURIComponent(route.partId)}`;
    }
    case 'progress':
      return `/routines/${encodeURIComponent(route.routineId)}/progress`;
    case 'clipper': {
      if (route.trackId === undefined) return '/clipper';
      const track = `/clipper/${encodeURIComponent(route.trackId)}`;
      return route.partId === undefined ? track : `${track}/parts/${encodeURIComponent(route.partId)}`;
    }
    case 'settings':
      return route.room === undefined ? '/settings' : `/settings/${route.room}`;
    case 'signIn':
      return '/sign-in';
    default:
      return `/${route.page}`;
  }
}
