// API calls: requests, responses, errors and missing responses.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, fieldsOf } from '../../src/sync/ask';
import { ServerError, NetworkError } from '../../src/sync/requests';

/** Answers every call with this response, and records the requests. */
function serverOf(answer: () => Response | Error) {
  const sent: { readonly address: string; readonly request: RequestInit }[] = [];
  const environment = {
    fetch: async (address: string, request: RequestInit) => {
      sent.push({ address, request });
      const given = answer();
      if (given instanceof Error) throw given;
      return given;
    },
    timer: () => () => undefined,
  };
  return { environment, sent };
}

test('a value is sent as JSON, and the response has its status', async () => {
  const { environment, sent } = serverOf(() => new Response('{"job": "j"}', { status: 202 }));
  const answer = await ask('POST', '/api/exports', { value: { format: 'flac' }, environment });
  assert.deepEqual(answer, { status: 202, value: { job: 'j' } });
  assert.equal(sent[0]?.address, '/api/exports');
  assert.equal(sent[0]?.request.method, 'POST');
  assert.equal(sent[0]?.request.body, '{"format":"flac"}');
  assert.deepEqual(sent[0]?.request.headers, { 'Content-Type': 'application/json' });
});

test('a response without a body is no failure', async () => {
  const { environment } = serverOf(() => new Response(null, { status: 204 }));
  assert.deepEqual(await ask('DELETE', '/api/session', { environment }), { status: 204, value: null });
});

test('an error response has the detail of its problem details', async () => {
  const { environment } = serverOf(() => new Response('{"detail": "The disk is full."}', { status: 507 }));
  await assert.rejects(ask('POST', '/api/backups', { environment }), (failure: unknown) => (
    failure instanceof ServerError && failure.status === 507 && failure.message === 'The disk is full.'
  ));
});

test('without a network, and for another site’s page, there is no response', async () => {
  const { environment } = serverOf(() => new TypeError('Failed to fetch'));
  await assert.rejects(ask('GET', '/api/health', { environment }), NetworkError);
  const page = serverOf(() => new Response('<html>Log in</html>'));
  const { value } = await ask('GET', '/api/session', { environment: page.environment });
  assert.throws(() => fieldsOf(value), NetworkError);
});
