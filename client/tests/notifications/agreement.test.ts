// What makes the browser's subscription and the server's the same, and why a device can't be notified.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextStep, obstacleTo, type PushEnvironment, type PushStatus } from '../../src/notifications/agreement';

const status = (own: Partial<PushStatus> = {}): PushStatus => ({
  publicKey: 'key', subscription: { endpoint: 'here', level: 'all', language: 'en' }, isDevice: true, ...own,
});

test('a subscription that both know stays as it is', () => {
  assert.equal(nextStep(status(), { endpoint: 'here', publicKey: 'key' }, 'en'), 'none');
  assert.equal(nextStep(status(), { endpoint: 'here', publicKey: null }, 'en'), 'none');
  assert.equal(nextStep(status({ subscription: null }), null, 'en'), 'none');
});

test('what one of them has ended ends at the other', () => {
  assert.equal(nextStep(status(), null, 'en'), 'forget');
  assert.equal(nextStep(status({ subscription: null }), { endpoint: 'here', publicKey: 'key' }, 'en'), 'end');
});

test('a new address, another language and another key of the server are told', () => {
  assert.equal(nextStep(status(), { endpoint: 'there', publicKey: 'key' }, 'en'), 'tell');
  assert.equal(nextStep(status(), { endpoint: 'here', publicKey: 'key' }, 'es'), 'tell');
  assert.equal(nextStep(status(), { endpoint: 'here', publicKey: 'old' }, 'en'), 'renew');
});

test('nothing changes while the server has notifications switched off', () => {
  for (const browser of [null, { endpoint: 'there', publicKey: 'old' }]) {
    assert.equal(nextStep(status({ publicKey: null }), browser, 'es'), 'none');
    assert.equal(nextStep(status({ publicKey: null, subscription: null }), browser, 'es'), 'none');
  }
});

const able: PushEnvironment = { isIOS: false, isInstalled: false, hasWorker: true, hasPush: true, permission: 'default' };

test('a device can be notified unless something keeps it from that, which is said first', () => {
  assert.equal(obstacleTo(status(), able), null);
  assert.equal(obstacleTo(status(), { ...able, permission: 'granted' }), null);
  assert.equal(obstacleTo(status(), { ...able, isIOS: true, isInstalled: true }), null);
  const none: PushEnvironment = { isIOS: true, isInstalled: false, hasWorker: false, hasPush: false, permission: 'denied' };
  assert.equal(obstacleTo(status({ publicKey: null, isDevice: false }), none), 'isOff');
  assert.equal(obstacleTo(status({ isDevice: false }), none), 'ownMachine');
  assert.equal(obstacleTo(status(), none), 'needsInstalling');
  assert.equal(obstacleTo(status(), { ...none, isInstalled: true }), 'untrusted');
  assert.equal(obstacleTo(status(), { ...none, isInstalled: true, hasWorker: true }), 'unsupported');
  assert.equal(obstacleTo(status(), { ...able, permission: 'denied' }), 'denied');
});
