import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { CONSOLE_DIST } from '../../scripts/console-sources.mjs';

/** More would keep people with a slow connection waiting before they can sign in. */
const SCRIPT_BYTES_MAX = 250_000;
const SCRIPT = /(?:src|href)="\/console\/(assets\/[^"]+\.js)"/g;

it('the first page loads at most 250 kB of compressed script', async (t) => {
  const page = await readFile(join(CONSOLE_DIST, 'index.html'), 'utf8');
  const scripts = [...page.matchAll(SCRIPT)].map(([, name = '']) => name);
  assert.ok(scripts.length > 0, page);
  const sizes = await Promise.all(
    scripts.map(async (name) => (await stat(join(CONSOLE_DIST, `${name}.gz`))).size),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  t.diagnostic(`${Math.round(bytes / 1_000)} kB in ${scripts.length} files`);
  assert.ok(bytes <= SCRIPT_BYTES_MAX, `${bytes} bytes in ${scripts.join(', ')}`);
});

it('the page has no inline script and no inline style, which the service forbids', async () => {
  const page = await readFile(join(CONSOLE_DIST, 'index.html'), 'utf8');
  assert.doesNotMatch(page, /<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
});
