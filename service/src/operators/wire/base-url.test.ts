import assert from 'node:assert/strict';
import { it } from 'node:test';
import { baseUrlProblems } from './base-url.ts';

it('accepts https to any host, and http to this machine only', () => {
  const good = ['https://api.example', 'https://api.example/rest', 'http://127.0.0.1:4001'];
  for (const url of [...good, 'http://localhost:1', 'http://[::1]:1', 'https://[2001:db8::1]']) {
    assert.deepEqual(baseUrlProblems('baseUrl', url), [], url);
  }
  for (const url of ['http://api.example', 'ftp://127.0.0.1', 'http://127.0.0.1.example']) {
    assert.deepEqual(baseUrlProblems('baseUrl', url), ['baseUrl: must begin with https://'], url);
  }
});

it('refuses a user alone, and a password alone', () => {
  for (const url of ['https://user@api.example', 'https://:pass@api.example']) {
    const problems = ['baseUrl: must hold no user and no password'];
    assert.deepEqual(baseUrlProblems('baseUrl', url), problems, url);
  }
});

it('names every problem at once, and never the address itself', () => {
  assert.deepEqual(baseUrlProblems('baseUrl', 'api.example'), ['baseUrl: not an absolute URL']);
  assert.deepEqual(baseUrlProblems('baseUrl', 'http://user:pass@api.example/?key=1'), [
    'baseUrl: must begin with https://',
    'baseUrl: must hold no user and no password',
    'baseUrl: must end with its path',
  ]);
});
