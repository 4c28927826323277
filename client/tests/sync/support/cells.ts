// Records every edit that a server accepted, for a comparison with its final state.

import assert from 'node:assert/strict';
import type { Change, SyncAnswer, WireRecord } from '../../../src/sync/wire';

/** The latest edit of each field. */
export class Cells {
  /** The latest change by type, id and field. */
  private readonly cells = new Map<string, { readonly at: string; readonly value: unknown }>();

  /** Records the changes of a request, except those that the response refuses. */
  note(body: string, { rejected }: SyncAnswer): void {
    const refused = new Set(rejected.map(({ id }) => id));
    for (const change of (JSON.parse(body) as { changes: Change[] }).changes) {
      if (refused.has(change.id)) continue;
      for (const [field, value] of Object.entries(change.fields)) {
        const key = `${change.type}\n${change.record}\n${field}`;
        const known = this.cells.get(key);
        if (!known || known.at < change.at) this.cells.set(key, { at: change.at, value: value ?? null });
      }
    }
  }

  /** Compares the server's values with the latest edit of every field; returns the number of fields. */
  async check(origin: string): Promise<number> {
    const records = await recordsOf(origin);
    for (const [key, { value }] of this.cells) {
      const [type, id, field = ''] = key.split('\n');
      const record = records.get(`${type}\n${id}`);
      assert(record, `Lost: ${type} ${id}.`);
      assert.equal(record[field] ?? null, value, `Lost: ${field} of ${type} ${id} is not as last set.`);
    }
    return this.cells.size;
  }
}

async function recordsOf(origin: string): Promise<Map<string, WireRecord>> {
  const records = new Map<string, WireRecord>();
  for (let since = 0, more = true; more; ) {
    const response = await fetch(`${origin}/api/sync`, {
      method: 'POST', body: JSON.stringify({ since, changes: [] }),
      headers: { 'Content-Type': 'application/json', Origin: origin },
    });
    const answer = (await response.json()) as SyncAnswer;
    for (const record of answer.records) records.set(`${record.type}\n${record.id}`, record);
    ({ seq: since, more } = answer);
  }
  return records;
}
