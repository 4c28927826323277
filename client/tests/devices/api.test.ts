import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificateBytes } from '../../src/devices/fingerprint';
import { askWorkers, trustAfter } from '../../src/devices/trust';

test('a certificate is parsed from bytes and from text', () => {
  const bytes = new Uint8Array([48, 130, 1, 2, 3]);
  assert.deepEqual(certificateBytes(bytes), bytes);
  const text = '-----BEGIN CERTIFICATE-----\nMIIB\nAgM=\n-----END CERTIFICATE-----\n';
  assert.deepEqual(certificateBytes(new TextEncoder().encode(text)), bytes);
});

test('only an error that names the certificate counts as not trusted', () => {
  const refused = new Error('Failed to register a ServiceWorker: An SSL certificate error occurred when fetching the script.');
  assert.equal(trustAfter(refused), 'untrusted');
  assert.equal(trustAfter(new Error('The operation is insecure.')), 'unknown');
  assert.equal(trustAfter(new Error('A bad HTTP response code (404) was received.')), 'unknown');
  assert.equal(trustAfter('nonsense'), 'unknown');
});

test('a running worker proves trust, and a worker that is being fetched can still be refused', async () => {
  const workers = (known: object | undefined, refusal?: Error): Parameters<typeof askWorkers>[0] => ({
    getRegistration: () => Promise.resolve(known as ServiceWorkerRegistration | undefined),
    register: () => (
      refusal ? Promise.reject(refusal) : Promise.resolve({} as ServiceWorkerRegistration)),
  });
  const refusal = new Error('An SSL certificate error occurred when fetching the script.');
  assert.equal(await askWorkers(workers({ active: {} }, refusal)), 'trusted');
  assert.equal(await askWorkers(workers({ active: null, installing: null }, refusal)), 'untrusted');
  assert.equal(await askWorkers(workers(undefined, refusal)), 'untrusted');
  assert.equal(await askWorkers(workers({ active: null })), 'trusted');
});

test('a registration that fails without a reason is requested once more', async () => {
  const certificate = new Error('An SSL certificate error occurred when fetching the script.');
  const broken = new Error('Operation has been aborted.');
  const after = async (...failures: readonly Error[]): Promise<string> => {
    const left = [...failures];
    const trust = await askWorkers({
      getRegistration: () => Promise.resolve(undefined),
      register: () => {
        const failure = left.shift();
        return failure ? Promise.reject(failure) : Promise.resolve({} as ServiceWorkerRegistration);
      },
    });
    return `${trust} after ${failures.length - left.length}`;
  };
  assert.equal(await after(broken, certificate), 'untrusted after 2');
  assert.equal(await after(broken), 'trusted after 1');
  assert.equal(await after(broken, broken, broken), 'unknown after 2');
});
