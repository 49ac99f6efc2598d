import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseSync } from 'oxc-parser';
import { ROOT } from '../planted/plant.ts';
import { chooseMutations } from './choose-mutations.ts';
import { findMutations } from './mutate-typescript.ts';
import { applyMutation, describeMutation } from './mutation.ts';

function changesOf(text: string): readonly string[] {
  return findMutations('x.ts', text).map((mutation) => applyMutation(text, mutation));
}

describe('mutations', () => {
  it('draws the same changes for the same seed, in both languages', async () => {
    const [first, again, other] = await Promise.all(
      [1, 1, 2].map((seed) => chooseMutations(ROOT, { seed, count: 40 })),
    );
    assert.deepEqual(first, again);
    assert.notDeepEqual(first, other);
    assert.equal(first?.length, 40);
    assert.deepEqual([...new Set(first?.map(({ language }) => language))].sort(), [
      'sql',
      'typescript',
    ]);
  });

  it('changes the text and leaves it parseable', async () => {
    for (const mutation of await chooseMutations(ROOT, { seed: 3, count: 200 })) {
      const before = await readFile(join(ROOT, mutation.file), 'utf8');
      const after = applyMutation(before, mutation);
      const described = describeMutation(before, mutation);
      assert.notEqual(after, before, described);
      assert.deepEqual(parseSync(mutation.file, after).errors, [], described);
    }
  });

  it('removes conditions, swaps operators and drops lines of TypeScript', () => {
    const text = 'if (held < wanted) refuse();';
    const changes = changesOf(text);
    assert.ok(changes.includes('if (false) refuse();'));
    assert.ok(changes.includes('if (held <= wanted) refuse();'));
    assert.ok(changes.includes('if (held < wanted) ;'));
  });

  it('removes conditions and locks of SQL, and does not change assignments', () => {
    const text = [
      'const MOVE = `',
      '  update transfers t',
      '  set state = $1',
      '  where t.id = $2',
      '    and t.state = $3`;',
      'const LOCK = `',
      '  select from wallets',
      '  for update skip locked`;',
    ].join('\n');
    const changes = changesOf(text);
    assert.ok(changes.some((changed) => !changed.includes('and t.state = $3')));
    assert.ok(changes.some((changed) => !changed.includes('for update')));
    assert.ok(changes.every((changed) => changed.includes('set state = $1')));
  });

  it('does not change messages', () => {
    assert.deepEqual(changesOf('const text = `where to look and why = it matters`;'), []);
  });
});
