import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Refusal } from '../../domain/refusal.ts';
import { createConsoleOrigin } from './console-origin.ts';

const requestTo = (host: string, isFromThisMachine: boolean) => ({
  header: (name: string) => (name === 'host' ? host : undefined),
  isFromThisMachine: () => isFromThisMachine,
});

it('is the configured one, not the one that the request names', () => {
  const originOf = createConsoleOrigin('https://console.example.com');
  assert.equal(originOf(requestTo('evil.test', false)), 'https://console.example.com');
  assert.equal(originOf(requestTo('localhost:3000', true)), 'https://console.example.com');
});

it('is that of the request on this machine alone', () => {
  const originOf = createConsoleOrigin(undefined);
  assert.equal(originOf(requestTo('LOCALHOST:3000', true)), 'http://localhost:3000');
  assert.equal(originOf(requestTo('127.0.0.1:80', true)), 'http://127.0.0.1');
  assert.throws(() => originOf(requestTo('evil.test', false)), Refusal);
});
