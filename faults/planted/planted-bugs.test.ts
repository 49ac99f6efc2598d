import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { applyEdit, DoesNotApply, ROOT } from './plant.ts';
import { PLANTED_BUGS } from './planted-bugs.ts';

const BUGS_MIN = 15;

describe('the planted bugs', () => {
  it('are many, with unique names', () => {
    assert.ok(PLANTED_BUGS.length >= BUGS_MIN);
    assert.equal(new Set(PLANTED_BUGS.map(({ name }) => name)).size, PLANTED_BUGS.length);
  });

  for (const { name, edits } of PLANTED_BUGS) {
    it(`can still be planted: ${name}`, async () => {
      const texts = new Map<string, string>();
      for (const edit of edits) {
        const text = texts.get(edit.file) ?? (await readFile(join(ROOT, edit.file), 'utf8'));
        texts.set(edit.file, applyEdit(text, edit));
        assert.notEqual(texts.get(edit.file), text);
      }
    });
  }

  it('throw when their place is missing or not unique', () => {
    const edit = { file: 'x', old: 'a', new: 'b' };
    assert.equal(applyEdit('-a-', edit), '-b-');
    assert.throws(() => applyEdit('---', edit), DoesNotApply);
    assert.throws(() => applyEdit('a-a', edit), DoesNotApply);
  });
});
