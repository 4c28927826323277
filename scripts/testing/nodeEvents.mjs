// A reporter of `node:test`: appends what becomes of each test to the file of events (results.py describes them), and
// prints nothing. nodeFiles.mjs notes where each test stands.
import { appendFileSync } from 'node:fs';

/** File and line of each test, by its name. */
export const places = new Map();

/** Appends an event, at once, so that another program can follow. */
export function tell(event) {
  const file = process.env.SEGMANCE_TEST_EVENTS;
  if (file) appendFileSync(file, `${JSON.stringify(event)}\n`);
}

/** The text of a failure, and the stack of its cause. */
function said(error) {
  const cause = error?.cause ?? error;
  return cause?.stack ?? String(cause?.message ?? cause);
}

function tellResult(name, outcome, seconds, message) {
  tell({ kind: 'test', name, ...(places.get(name) ?? { file: '', line: 0 }), outcome, seconds, message });
}

/** What node:test says of an error that comes when its test has ended: it names the test, and fails nothing. */
const afterwards = /^(?:Warning|Error): Test "(.*)"(?: at .*)? generated asynchronous activity after the test ended\..*/s;

export default async function* events(source) {
  for await (const { type, data } of source) {
    if (type === 'test:pass') {
      const isSkipped = data.skip !== undefined;
      tellResult(
        data.name, isSkipped ? 'skipped' : 'passed', data.details.duration_ms / 1_000, isSkipped ? String(data.skip) : '');
    } else if (type === 'test:fail') {
      tellResult(data.name, 'failed', data.details.duration_ms / 1_000, said(data.details.error));
    } else if (type === 'test:diagnostic') {
      const late = afterwards.exec(data.message);
      if (late) tellResult(late[1], 'failed', 0, data.message);
    }
  }
}
