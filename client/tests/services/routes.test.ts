import assert from 'node:assert/strict';
import { test } from 'node:test';
import { practiceAction } from '../../src/player/keys';
import { Navigation, type HistoryHost } from '../../src/services/navigation';
import { linkBase, linkIdOf, parseRoute, pathOf, type Route } from '../../src/services/routes';

test('every route is restored from its address', () => {
  const routes: Route[] = [
    { page: 'routines' },
    { page: 'clipper' },
    { page: 'settings' },
    { page: 'settings', room: 'move-types' },
    { page: 'routine', routineId: 'r/1 ä', partId: null },
    { page: 'routine', routineId: 'r', partId: 'p' },
    { page: 'progress', routineId: 'r/1 ä' },
    { page: 'settings', room: 'devices' },
    { page: 'pair', token: '' },
    { page: 'signIn', query: '' },
    { page: 'install' },
  ];
  for (const route of routes) assert.deepEqual(parseRoute(pathOf(route)), route);
});

test('an unknown or malformed address is the list of routines or has no record', () => {
  assert.deepEqual(parseRoute('/nowhere'), { page: 'routines' });
  assert.deepEqual(parseRoute('/routines'), { page: 'routines' });
  assert.deepEqual(parseRoute('/settings/nowhere'), { page: 'settings' });
  assert.deepEqual(parseRoute('/routines/%E0%A4%A'), {
    page: 'routine', routineId: '%E0%A4%A', partId: null,
  });
});

/** A browser history whose `go` is asynchronous, as in browsers. */
class FakeBrowser implements HistoryHost {
  entries: { state: unknown; path: string }[] = [{ state: null, path: '/' }];
  at = 0;
  private listener: () => void = () => undefined;
  private steps: number[] = [];

  readonly location = ((browser: FakeBrowser) => ({
    get pathname(): string {
      return (browser.entries[browser.at]?.path ?? '/').replace(/[?#].*/, '');
    },
    get search(): string {
      return /\?[^#]*/.exec(browser.entries[browser.at]?.path ?? '')?.[0] ?? '';
    },
    get hash(): string {
      return /#.*/.exec(browser.entries[browser.at]?.path ?? '')?.[0] ?? '';
    },
  }))(this);

  readonly history = ((browser: FakeBrowser) => ({
    get length(): number {
      return browser.entries.length;
    },
    get state(): unknown {
      return browser.entries[browser.at]?.state;
    },
    pushState(state: unknown, _unused: string, path = ''): void {
      browser.entries = [...browser.entries.slice(0, browser.at + 1), { state, path }];
      browser.at += 1;
    },
    replaceState(state: unknown, _unused: string, path = ''): void {
      browser.entries[browser.at] = { state, path };
    },
    go(delta: number): void {
      browser.steps.push(delta);
    },
  }))(this);

  addEventListener(_type: 'popstate', listener: () => void): void {
    this.listener = listener;
  }

  /** Executes the requested steps. */
  settle(): void {
    for (let step = this.steps.shift(); step !== undefined; step = this.steps.shift()) {
      this.at += step;
      this.listener();
    }
  }

  /** The user presses Back. */
  back(): void {
    this.at -= 1;
    this.listener();
  }
}

const routine: Route = { page: 'routine', routineId: 'r', partId: null };

test('Back closes the topmost sheet, and leaves the page if there is none', () => {
  const browser = new FakeBrowser();
  const navigation = new Navigation(browser);
  navigation.go(routine);
  navigation.open('player');
  navigation.open('countdown');
  browser.back();
  assert.deepEqual(navigation.place.overlays, ['player']);
  browser.back();
  assert.deepEqual(navigation.place, { route: routine, overlays: [] });
  browser.back();
  assert.deepEqual(navigation.place.route, { page: 'routines' });
});

test('a sheet closes at once, and closing it twice goes back only once', () => {
  const browser = new FakeBrowser();
  const navigation = new Navigation(browser);
  navigation.go(routine);
  navigation.open('player');
  navigation.close('player');
  navigation.close('player');
  assert.deepEqual(navigation.place.overlays, []);
  browser.settle();
  assert.deepEqual(navigation.place, { route: routine, overlays: [] });
  assert.equal(browser.at, 1);
});

test('a sheet opened while another one is closing stays open', () => {
  const browser = new FakeBrowser();
  const navigation = new Navigation(browser);
  navigation.open('jump');
  navigation.close('jump');
  navigation.open('edit');
  browser.settle();
  assert.deepEqual(navigation.place.overlays, ['edit']);
  assert.equal(browser.at, 1);
});

test('navigating from a sheet leaves no sheet in the history', () => {
  const browser = new FakeBrowser();
  const navigation = new Navigation(browser);
  navigation.open('create');
  navigation.go(routine);
  browser.settle();
  assert.deepEqual(navigation.place, { route: routine, overlays: [] });
  browser.back();
  assert.deepEqual(navigation.place, { route: { page: 'routines' }, overlays: [] });
});

test('changing to another part keeps one history entry', () => {
  const browser = new FakeBrowser();
  const navigation = new Navigation(browser);
  navigation.go(routine);
  navigation.settle({ page: 'routine', routineId: 'r', partId: 'p2' });
  assert.equal(browser.location.pathname, '/routines/r/parts/p2');
  navigation.leave({ page: 'routines' });
  browser.settle();
  assert.deepEqual(navigation.place.route, { page: 'routines' });
  assert.equal(browser.at, 0);
});

test('leaving a page that was opened directly goes to the list', () => {
  const browser = new FakeBrowser();
  browser.entries = [{ state: null, path: '/routines/r' }];
  const navigation = new Navigation(browser);
  navigation.leave({ page: 'routines' });
  browser.settle();
  assert.equal(browser.location.pathname, '/');
  assert.equal(browser.entries.length, 1);
});

test('a reload closes sheets and leaves no history entry', () => {
  const browser = new FakeBrowser();
  const before = new Navigation(browser);
  before.go(routine);
  before.open('player');
  before.open('speed');
  const after = new Navigation(browser);
  assert.deepEqual(after.place, { route: routine, overlays: [] });
  browser.settle();
  assert.deepEqual(after.place, { route: routine, overlays: [] });
  after.leave({ page: 'clipper' });
  browser.settle();
  assert.deepEqual(after.place.route, { page: 'routines' });
});

test('a window copied without its history continues from its sheet', () => {
  const browser = new FakeBrowser();
  browser.entries = [{ state: { overlays: ['player', 'speed'], depth: 3 }, path: '/routines/r' }];
  const navigation = new Navigation(browser);
  navigation.open('jump');
  assert.deepEqual(navigation.place, { route: routine, overlays: ['jump'] });
});

test('a part changed under a sheet stays when the sheet closes', () => {
  const turned = (part: string): Route => ({ page: 'routine', routineId: 'r', partId: part });
  const browser = new FakeBrowser();
  const navigation = new Navigation(browser);
  navigation.go(turned('p2'));
  navigation.open('player');
  navigation.settle(turned('p5'));
  navigation.close('player');
  browser.settle();
  assert.deepEqual(navigation.place, { route: turned('p5'), overlays: [] });
  assert.equal(browser.location.pathname, '/routines/r/parts/p5');
  // The same with the browser's Back, from two sheets, and after a reload.
  navigation.open('player');
  navigation.open('speed');
  navigation.settle(turned('p6'));
  browser.back();
  assert.deepEqual(navigation.place, { route: turned('p6'), overlays: ['player'] });
  browser.back();
  assert.deepEqual(navigation.place, { route: turned('p6'), overlays: [] });
  navigation.open('player');
  navigation.settle(turned('p7'));
  const after = new Navigation(browser);
  browser.settle();
  assert.deepEqual(after.place, { route: turned('p7'), overlays: [] });
  assert.equal(browser.location.pathname, '/routines/r/parts/p7');
  // Another page is a new history entry, even from a sheet.
  after.go({ page: 'settings' });
  browser.back();
  assert.deepEqual(after.place.route, turned('p7'));
});

test('the page turns at once while a sheet closes, and not after it was left', () => {
  const turned = (part: string): Route => ({ page: 'routine', routineId: 'r', partId: part });
  const browser = new FakeBrowser();
  const navigation = new Navigation(browser);
  navigation.go(turned('p1'));
  navigation.open('jump');
  navigation.close('jump');
  navigation.settle(turned('p2'));
  assert.deepEqual(navigation.place.route, turned('p2'));
  browser.settle();
  assert.deepEqual(navigation.place.route, turned('p2'));
  assert.equal(browser.location.pathname, '/routines/r/parts/p2');
  navigation.leave({ page: 'routines' });
  navigation.settle(turned('p3'));
  browser.settle();
  assert.deepEqual(navigation.place.route, { page: 'routines' });
  assert.equal(browser.location.pathname, '/');
});

test('what a provider has sent is read and removed from the address', () => {
  const browser = new FakeBrowser();
  browser.entries = [{ state: null, path: '/sign-in?code=a&state=b' }];
  const navigation = new Navigation(browser);
  assert.deepEqual(navigation.place.route, { page: 'signIn', query: '?code=a&state=b' });
  assert.deepEqual(browser.entries.map(({ path }) => path), ['/sign-in']);
});

test('the pairing token is read and removed from the address', () => {
  const browser = new FakeBrowser();
  browser.entries = [{ state: null, path: '/pair#secret-token' }];
  const navigation = new Navigation(browser);
  assert.deepEqual(navigation.place.route, { page: 'pair', token: 'secret-token' });
  assert.deepEqual(browser.entries.map(({ path }) => path), ['/pair']);
  // Another code is scanned into the same page.
  browser.entries = [...browser.entries, { state: null, path: '/pair#second-token' }];
  browser.at = 0;
  browser.history.go(1);
  browser.settle();
  assert.deepEqual(navigation.place.route, { page: 'pair', token: 'second-token' });
  assert.deepEqual(browser.entries.map(({ path }) => path), ['/pair', '/pair']);
});

test('keys with a system modifier are ignored', () => {
  const plain = { shiftKey: false, altKey: false, ctrlKey: false, metaKey: false };
  assert.equal(practiceAction({ ...plain, key: 'L' }), 'loop');
  assert.equal(practiceAction({ ...plain, key: 'a' }), 'markA');
  assert.equal(practiceAction({ ...plain, key: 'ArrowLeft' }), 'seekBack');
  assert.equal(practiceAction({ ...plain, key: 'ArrowLeft', shiftKey: true }), 'previousPart');
  assert.equal(practiceAction({ ...plain, key: 'a', ctrlKey: true }), null);
  assert.equal(practiceAction({ ...plain, key: 'ArrowLeft', altKey: true }), null);
  assert.equal(practiceAction({ ...plain, key: 'n' }), 'addMove');
  assert.equal(practiceAction({ ...plain, key: 'x' }), null);
});

test('a page that was opened by a link keeps the link at the beginning of every address', () => {
  const id = '0190a0a0-0000-7000-8000-000000000001';
  assert.equal(linkIdOf(`/l/${id}`), id);
  assert.equal(linkIdOf(`/l/${id}/routines/r`), id);
  for (const path of ['/', '/l', '/l/', '/l/x', `/l/${id}x`, `/routines/l/${id}`]) assert.equal(linkIdOf(path), null, path);
  const browser = new FakeBrowser();
  const path = (): string => browser.entries[browser.at]?.path ?? '';
  browser.entries = [{ state: null, path: `/l/${id}#secret` }];
  const navigation = new Navigation(browser, linkBase(id));
  assert.deepEqual(navigation.place.route, { page: 'routines' });
  assert.equal(path(), `/l/${id}/`, 'the secret is gone');
  navigation.settle(routine);
  assert.equal(path(), `/l/${id}/routines/r`);
  navigation.settle({ ...routine, partId: 'p' });
  assert.deepEqual(new Navigation(browser, linkBase(id)).place.route, { ...routine, partId: 'p' });
});
