import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { applyEdit, ROOT } from '../../faults/planted/plant.ts';
import { ATTACKS } from '../attacks/attacks.ts';
import { PLANTED_BOUNDS } from './planted-bounds.ts';

describe('the planted bounds', () => {
  it('have unique names', () => {
    assert.equal(new Set(PLANTED_BOUNDS.map(({ name }) => name)).size, PLANTED_BOUNDS.length);
  });

  for (const bound of PLANTED_BOUNDS) {
    const { name, edits } = bound;
    it(`can still be removed: ${name}`, async () => {
      const texts = new Map<string, string>();
      for (const edit of edits) {
        const text = texts.get(edit.file) ?? (await readFile(join(ROOT, edit.file), 'utf8'));
        texts.set(edit.file, applyEdit(text, edit));
        assert.notEqual(texts.get(edit.file), text);
      }
    });

    it(`names attacks or a test that exist: ${name}`, async () => {
      if ('test' in bound) {
        await access(join(ROOT, bound.test));
        return;
      }
      assert.ok(bound.attacks.length > 0);
      const ids = ATTACKS.map(({ id }) => id);
      for (const id of bound.attacks) assert.ok(ids.includes(id), `no attack ${id}`);
    });
  }
});
