import assert from 'node:assert/strict';
import { it } from 'node:test';
import { factRows, nameOfSubject, sayKind } from './say-act.ts';

it('says what was done in words, also what it has no words for', () => {
  assert.equal(sayKind('KEY_REVOKED'), 'revoked an API key');
  assert.equal(sayKind('SOMETHING_NEW'), 'something new');
});

it('puts before and after side by side and marks what changed', () => {
  const act = {
    before: { url: 'https://a.example', status: 'enabled' },
    after: { url: 'https://a.example', status: 'disabled', dailyLimit: 5 },
  };
  assert.deepEqual(factRows(act), [
    { name: 'address', before: 'https://a.example', after: 'https://a.example', isChanged: false },
    { name: 'status', before: 'enabled', after: 'disabled', isChanged: true },
    { name: 'daily limit', before: null, after: 5, isChanged: true },
  ]);
  assert.equal(nameOfSubject(act), 'https://a.example');
  assert.deepEqual(factRows({ before: null, after: null }), []);
});
