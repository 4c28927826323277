// Opens a link: asks the server, and for a passcode if there is one; and closes it again when it has ended.

import type { Root } from 'react-dom/client';
import { LinkDoor, type DoorState } from '../links/LinkDoor';
import { forgetLink, libraryOfLink, noteReopened, storedLink, storeLink, wasReopened } from '../links/storedLink';
import type { OpenLink } from '../services/openLink';
import { LocalLibrary } from '../sync/library';
import { fetchOfLink } from '../sync/linkedLibrary';

/** The format of the secret after the # of a link's address. */
const secretPattern = /^[A-Za-z0-9_-]{16,128}$/;

/** Resolves once the link is open in this browser; until then shows why it is not. `secret` is from the address, or empty. */
export async function enterLink(root: Root, id: string, secret: string): Promise<OpenLink> {
  const stored = storedLink(id);
  const known = secretPattern.test(secret) ? secret : stored?.secret ?? null;
  const isOver = stored !== null && stored.link.expiresAt <= Date.now();
  if (isOver) await forgetLink(id);
  if (stored && !isOver && stored.secret === known) return stored.link;
  return new Promise((resolve) => {
    const state: DoorState = isOver ? 'ended' : known === null ? 'unknown' : 'opening';
    showDoor(root, id, known ?? '', state, resolve);
  });
}

function showDoor(
  root: Root, id: string, secret: string, state: DoorState, onOpen: (link: OpenLink) => void, wasOpen = false,
): void {
  root.render(
    <LinkDoor
      key={`door-${state}`} id={id} secret={secret} state={state} wasOpen={wasOpen}
      onOpen={(link) => {
        storeLink(id, { secret, link });
        onOpen(link);
      }}
      onEnded={() => {
        // A mistyped address of a link must not delete what the right one left here.
        if (storedLink(id)?.secret === secret) void forgetLink(id);
      }}
    />,
  );
}

/** Opens the copy of what a link shows. It has a database of its own, and sends nothing. */
export async function openLinkedLibrary(root: Root, link: OpenLink): Promise<LocalLibrary> {
  const { id } = link;
  let isClosed = false;
  const answered = async (status: number): Promise<void> => {
    if (isClosed) return;
    if (status === 200) noteReopened(id, false);
    if (![401, 404, 410].includes(status)) return;
    isClosed = true;
    const state: DoorState = status !== 401 ? 'ended' : wasReopened(id) ? 'withoutCookies' : 'opening';
    showDoor(root, id, storedLink(id)?.secret ?? '', state, () => {
      noteReopened(id, true);
      location.reload();
    }, true);
    await library.close();
    if (status !== 401) await forgetLink(id);
  };
  const library = await LocalLibrary.open({
    databaseName: libraryOfLink(id), keepsEdits: true, eventSource: null,
    fetch: fetchOfLink(id, (url, request) => fetch(url, request), (status) => void answered(status)),
  });
  loopEight(library, link);
  return library;
}

/** Sets the loop of a link to an eight, unless the visitor has set one. */
function loopEight(library: LocalLibrary, { part: id, startFrame, endFrame }: OpenLink): void {
  if (id === null || startFrame === null || endFrame === null) return;
  const look = (): void => {
    const part = library.get('part', id);
    if (!part) return;
    stop();
    if (part.markerA == null) library.edit('part', id, { loopMode: 'section', markerA: startFrame, markerB: endFrame });
  };
  const stop = library.subscribe(look);
  look();
}
