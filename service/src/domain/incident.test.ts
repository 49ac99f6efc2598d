import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DESCRIBED_KINDS, describeIncident, PAID_WITHOUT_TRANSFER } from './incident.ts';

const SOURCE = join(import.meta.dirname, '..');
const RUNBOOK = join(SOURCE, '../../docs/runbooks/in-doubt.md');

/** The sources that insert incidents. */
const WRITERS = ['transfers/callbacks/apply-callbacks.ts', 'transfers/move/open-incident.ts'];
/** The sources that choose a kind, and how they do. */
const CHOOSERS = [
  ['domain/next-step.ts', /\breturn '(\w+_after_\w+)'/g],
  ['transfers/callbacks/apply-callbacks.ts', /^ {2}[A-Z_]+: '(\w+)'/gm],
  ['transfers/move/record-outcome.ts', /\? '([a-z_]+)' : null/g],
] as const;

const read = (path: string) => readFile(join(SOURCE, path), 'utf8');
const found = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, group = '']) => group);
const sorted = (kinds: Iterable<string>) => [...new Set(kinds)].sort();

describe('an incident', () => {
  it('is stored with its kind and without a sentence', async () => {
    const files = await readdir(SOURCE, { recursive: true });
    const inserted: string[] = [];
    for (const path of files) {
      if (!path.endsWith('.ts') || path.endsWith('.test.ts')) continue;
      const columns = found(await read(path), /into incidents \(([^)]*)\)/g);
      inserted.push(...columns.map((names) => `${path}: ${names}`));
    }
    const names = 'book_id, id, transfer_id, kind, opened_at';
    assert.deepEqual(
      inserted.sort(),
      WRITERS.map((path) => `${path}: ${names}`),
    );
  });

  it('has a sentence for each kind that is written, and for no other', async () => {
    const written: string[] = [PAID_WITHOUT_TRANSFER];
    for (const [path, pattern] of CHOOSERS) {
      const kinds = found(await read(path), pattern);
      assert.ok(kinds.length > 0, path);
      written.push(...kinds);
    }
    assert.deepEqual(sorted(DESCRIBED_KINDS), sorted(written));
  });

  it('is explained by the runbook, whatever its kind', async () => {
    const rows = found(await readFile(RUNBOOK, 'utf8'), /^\| `([a-z_]+)` \|/gm);
    assert.deepEqual(sorted(rows), sorted(DESCRIBED_KINDS));
  });

  it('shows the sentence of its kind, and one that was kept only for an unknown kind', () => {
    const sentence = 'The operator says that it paid a transfer that was not sent yet.';
    assert.equal(describeIncident('paid_before_sent'), sentence);
    assert.equal(describeIncident('paid_before_sent', 'An older wording.'), sentence);
    assert.equal(describeIncident('a_former_kind', 'What it said.'), 'What it said.');
    assert.equal(describeIncident('a_later_kind'), 'a_later_kind');
  });
});
