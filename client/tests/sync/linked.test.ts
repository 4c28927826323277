// The library of a page that was opened by a link: it fetches what the link shows, and keeps its edits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LocalLibrary } from '../../src/sync/library';
import { fetchOfLink } from '../../src/sync/linkedLibrary';
import { problem } from './support/fake-server';
import { Browser, Tab } from './support/world';

const id = '0190a0a0-0000-7000-8000-000000000001';

/** A server that knows one link, and a page in a browser that has opened it. */
class Linked {
  seq = 3;
  titles: Record<string, string> = { r: 'Swan' };
  refusal: Response | null = null;
  readonly answers: number[] = [];
  readonly tab: Tab;

  constructor(browser = new Browser()) {
    this.tab = new Tab(browser, { handle: (url) => Promise.resolve(this.answer(url)) });
  }

  async open(): Promise<LocalLibrary> {
    const { environment } = this.tab;
    const library = await LocalLibrary.open({
      ...environment, eventSource: null, databaseName: 'linked', keepsEdits: true,
      fetch: fetchOfLink(id, environment.fetch, (status) => this.answers.push(status)),
    });
    await this.tab.settle();
    return library;
  }

  private answer(url: string): Response {
    assert.equal(url, `/api/links/${id}/records`);
    if (this.refusal) return this.refusal.clone() as Response;
    const records = Object.entries(this.titles).map(([record, title]) => ({
      type: 'routine', id: record, seq: 1, createdAt: 1, title,
    }));
    return new Response(JSON.stringify({ seq: this.seq, records, expiresAt: 1 }), { headers: { ETag: `"${this.seq}"` } });
  }
}

const titles = (library: LocalLibrary): (string | undefined)[] => library.all('routine').map(({ title }) => title);

test('a link’s library has what the link shows, and follows what comes and goes', async () => {
  const linked = new Linked();
  const library = await linked.open();
  assert.deepEqual(titles(library), ['Swan']);
  assert.equal(library.status.loaded, true);
  // The records keep their sequence numbers; only the whole answer is another one.
  linked.titles = { s: 'Giselle' };
  linked.seq = 4;
  await library.refresh();
  assert.deepEqual(titles(library), ['Giselle'], 'what left the link’s scope is gone');
  linked.titles = { s: 'Giselle', r: 'Swan' };
  linked.seq = 5;
  await library.refresh();
  assert.deepEqual(titles(library).sort(), ['Giselle', 'Swan']);
});

test('edits stay in the browser, over the records and over a restart, and nothing is sent', async () => {
  const browser = new Browser();
  const linked = new Linked(browser);
  const library = await linked.open();
  library.edit('routine', 'r', { lastPractisedAt: 5 });
  library.set('caller', true);
  await linked.tab.advance(60_000);
  assert.equal(library.status.waiting, 0);
  assert.equal(await library.stored(), true);
  linked.titles = { r: 'Swan Lake' };
  linked.seq = 9;
  await library.refresh();
  assert.equal(library.get('routine', 'r')?.title, 'Swan Lake');
  assert.equal(library.get('routine', 'r')?.lastPractisedAt, 5);
  assert.deepEqual(linked.tab.requests.filter(({ request }) => (request.method ?? 'GET') !== 'GET'), []);
  await library.close();
  const again = new Linked(browser);
  again.tab.isOnline = false;
  const later = await again.open();
  assert.equal(later.get('routine', 'r')?.lastPractisedAt, 5);
  assert.equal(later.setting('caller'), true);
  assert.equal(later.get('routine', 'r')?.title, 'Swan Lake', 'without a network, too');
  assert.deepEqual(again.answers, []);
});

test('the status of each answer is told, and a refusal takes nothing away', async () => {
  const linked = new Linked();
  const library = await linked.open();
  linked.refusal = problem(503, 'A restore is under way.');
  await library.refresh();
  assert.deepEqual(linked.answers, [200, 503]);
  for (const status of [401, 404, 410]) {
    linked.refusal = problem(status, 'No.');
    await library.refresh();
    assert.equal(linked.answers.at(-1), status);
  }
  assert.deepEqual(titles(library), ['Swan'], 'the page decides what to delete');
});
