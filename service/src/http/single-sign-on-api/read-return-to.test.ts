import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Refusal } from '../../domain/refusal.ts';
import { readReturnTo } from './read-return-to.ts';

const read = (returnTo: string) => readReturnTo(new URLSearchParams({ returnTo }));

it('goes on with a page of the console', () => {
  assert.equal(readReturnTo(new URLSearchParams()), '/console');
  for (const path of [
    '/console',
    '/console/',
    '/console?book=1',
    '/console/transfers?state=in_doubt&q=a%20b#top',
    '/console//evil.test',
    '/console/%2F%2Fevil.test',
    '/console/https://evil.test',
  ]) {
    assert.equal(read(path), path);
  }
  assert.equal(read('/console/a/../b'), '/console/b');
});

const FOREIGN = [
  '',
  '/',
  'console',
  '/transfers',
  'https://evil.test',
  'https://evil.test/console',
  'javascript:alert(1)',
  '//evil.test',
  '//evil.test/console',
  '///evil.test',
  '/\\evil.test',
  '\\/evil.test',
  '\\\\evil.test',
  '/console\\..\\..\\evil',
  '/console/..',
  '/console/../evil',
  '/console/../console/../evil',
  '/console/%2e%2e/evil',
  '/console/.%2E//evil.test',
  '/console/..//evil.test',
  '/consoleevil.test',
  '/console.evil.test',
  '/console@evil.test',
  '/Console',
  '/%63onsole',
  '%2F%2Fevil.test',
  ' /console',
  '/console ',
  '/console\n/x',
  '/console\r\nset-cookie: a=b',
  '/console\t',
  '/\tconsole',
  '\t//evil.test',
  '/console\u0000',
  '/console/ä',
  '/console\u2028',
  `/console/${'x'.repeat(2_000)}`,
];
for (const text of FOREIGN) {
  it(`refuses ${JSON.stringify(text).slice(0, 50)}`, () => {
    assert.throws(() => read(text), Refusal);
  });
}

it('refuses two of them, and parameters that are not known', () => {
  for (const query of [
    'returnTo=/console&returnTo=/console',
    'next=/console',
    'returnto=/console',
  ]) {
    assert.throws(() => readReturnTo(new URLSearchParams(query)), Refusal, query);
  }
});
