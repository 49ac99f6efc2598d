import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readReturnTo } from './return-to.ts';
import { readSearch, writeSearch } from './search-params.ts';

it('goes back to pages of the console', () => {
  for (const path of ['/console', '/console/', '/console/b/1/transfers?state=failed#top']) {
    assert.equal(readReturnTo(path), path);
  }
});

it('never leaves the console after sign-in', () => {
  const strange = [
    undefined,
    null,
    '',
    'https://evil.example/console/',
    '//evil.example/console/',
    '/\\evil.example',
    '/console/\\..\\evil',
    '/console/../api/v1/session',
    '/console/%2e%2e/docs',
    '/consoles',
    'javascript:alert(1)',
    '/console/sign-in?returnTo=/console/',
  ];
  for (const text of strange) assert.equal(readReturnTo(text), undefined, String(text));
});

it('keeps what an address says, in words that people can read', () => {
  const search = {
    state: 'failed,in_doubt',
    from: '2026-10-30T00:00',
    q: '0977 433+571',
    empty: '',
  };
  const text = writeSearch(search);
  assert.equal(text, '?state=failed,in_doubt&from=2026-10-30T00:00&q=0977+433%2B571');
  assert.deepEqual(readSearch(text), {
    state: 'failed,in_doubt',
    from: '2026-10-30T00:00',
    q: '0977 433+571',
  });
});
