import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ATTACKS } from './attacks/attacks.ts';
import { renderRow } from './print-result.ts';
import { runAbuse } from './run-abuse.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SEED = 1;

it('holds against every attack in its short form, and serves its merchant meanwhile', async (t) => {
  // Reading memory and using many addresses work only on Linux.
  if (!existsSync('/proc/self/status')) return t.skip('there is no /proc here');
  const { rows, problems } = await runAbuse({
    tree: ROOT,
    form: 'short',
    seed: SEED,
    attacks: ATTACKS,
    checksGrowth: true,
    signal: new AbortController().signal,
    onPhase: () => undefined,
    onRow: (row) => t.diagnostic(renderRow(row)),
  });
  assert.equal(rows.length, ATTACKS.length);
  const red = rows.filter((row) => row.problems.length > 0);
  assert.deepEqual([...red.map(renderRow), ...problems], []);
});
