// The addresses of the app: pure parsing and writing of paths.

/** A place in the app that has an address. */
export type Route =
  | { readonly page: 'routines' }
  | { readonly page: 'routine'; readonly routineId: string; readonly partId: string | null }
  | { readonly page: 'clipper'; readonly trackId?: string; readonly partId?: string }
  | { readonly page: 'settings'; readonly room?: SettingsSection }
  /** Joining with a code; the token is in no address that the history keeps. */
  | { readonly page: 'pair'; readonly token: string }
  | { readonly page: 'install' };

/** What has a page of its own inside the settings. */
export type SettingsSection = 'routines' | 'move-types' | 'media' | 'storage' | 'devices' | 'guide';

const settingsRooms: readonly string[] = ['routines', 'move-types', 'media', 'storage', 'devices', 'guide'];

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A malformed escape names nothing; the raw text finds no record, and the page says so.
    return segment;
  }
};

/** Reads a path, and what stands behind its #; an unknown one is the list of routines. */
export function parseRoute(path: string, hash = ''): Route {
  const segments = path.split('/').filter((segment) => segment !== '').map(decoded);
  const [first, second, third, fourth] = segments;
  if (first === 'routines' && second !== undefined) {
    return { page: 'routine', routineId: second, partId: third === 'parts' ? fourth ?? null : null };
  }
  if (first === 'settings' && second !== undefined && settingsRooms.includes(second)) {
    return { page: first, room: second as SettingsSection };
  }
  if (first === 'clipper' && second !== undefined) {
    return third === 'parts' && fourth !== undefined
      ? { page: first, trackId: second, partId: fourth }
      : { page: first, trackId: second };
  }
  if (first === 'pair') return { page: first, token: hash.slice(1) };
  if (first === 'clipper' || first === 'settings' || first === 'install') return { page: first };
  return { page: 'routines' };
}

/** Writes the path of a place. */
export function pathOf(route: Route): string {
  switch (route.page) {
    case 'routines':
      return '/';
    case 'routine': {
      const routine = `/routines/${encodeURIComponent(route.routineId)}`;
      return route.partId === null ? routine : `${routine}/parts/${encodeURIComponent(route.partId)}`;
    }
    case 'clipper': {
      if (route.trackId === undefined) return '/clipper';
      const track = `/clipper/${encodeURIComponent(route.trackId)}`;
      return route.partId === undefined ? track : `${track}/parts/${encodeURIComponent(route.partId)}`;
    }
    case 'settings':
      return route.room === undefined ? '/settings' : `/settings/${route.room}`;
    default:
      return `/${route.page}`;
  }
}
