import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type EndedEntry, openJournal } from './journal.ts';
import { createTestFolder } from './test-folder.ts';

function ended(payoutId: string): EndedEntry {
  return { kind: 'ended', payoutId, end: 'paid', endedAt: '2026-01-01T00:00:00.000Z' };
}

async function idsIn(path: string): Promise<string[]> {
  const journal = await openJournal(path);
  await journal.close();
  return journal.earlier.map(({ payoutId }) => payoutId);
}

describe('journal', () => {
  it('returns what was appended, in order, and creates its folders', async () => {
    await using folder = await createTestFolder();
    const path = join(folder.path, 'deep', 'mtn.jsonl');
    const journal = await openJournal(path);
    assert.deepEqual(journal.earlier, []);
    await journal.append([ended('a'), ended('b')]);
    await journal.append([ended('c')]);
    await journal.close();
    const again = await openJournal(path);
    await again.close();
    assert.deepEqual(again.earlier, [ended('a'), ended('b'), ended('c')]);
  });

  it('has an entry on disk once its append resolved, before the journal is closed', async () => {
    await using folder = await createTestFolder();
    const path = join(folder.path, 'mtn.jsonl');
    const journal = await openJournal(path);
    await journal.append([ended('a')]);
    assert.equal(await readFile(path, 'utf8'), `${JSON.stringify(ended('a'))}\n`);
    await journal.close();
  });

  it('writes all concurrent appends', async () => {
    await using folder = await createTestFolder();
    const path = join(folder.path, 'mtn.jsonl');
    const journal = await openJournal(path);
    const ids = Array.from({ length: 500 }, (_, index) => `p${index}`);
    await Promise.all(
      ids.map(async (id, index) => {
        // Some are appended while others are being flushed.
        if (index % 3 === 0) await new Promise(setImmediate);
        await journal.append([ended(id)]);
      }),
    );
    await journal.close();
    assert.deepEqual((await idsIn(path)).toSorted(), ids.toSorted());
  });

  it('writes what was appended just before it was closed', async () => {
    await using folder = await createTestFolder();
    const path = join(folder.path, 'mtn.jsonl');
    const journal = await openJournal(path);
    const written = journal.append([ended('a')]);
    await journal.close();
    await written;
    assert.deepEqual(await idsIn(path), ['a']);
  });

  it('cuts off a torn last line, and continues after the last complete one', async () => {
    await using folder = await createTestFolder();
    const path = join(folder.path, 'mtn.jsonl');
    for (const torn of ['{"kind":"exe', '{"kind":"exe\n', JSON.stringify(ended('half'))]) {
      await writeFile(path, `${JSON.stringify(ended('a'))}\n${torn}`);
      const journal = await openJournal(path);
      await journal.append([ended('b')]);
      await journal.close();
      assert.deepEqual(await idsIn(path), ['a', 'b']);
    }
  });

  it('refuses a file with a broken line in the middle', async () => {
    await using folder = await createTestFolder();
    const path = join(folder.path, 'mtn.jsonl');
    await writeFile(path, 'something else\n');
    await appendFile(path, `${JSON.stringify(ended('a'))}\n`);
    await assert.rejects(openJournal(path), /line 1 is not an entry/);
  });

  it('fails every append after one has failed', async () => {
    await using folder = await createTestFolder();
    const journal = await openJournal(join(folder.path, 'mtn.jsonl'));
    await journal.close();
    await assert.rejects(journal.append([ended('a')]));
    await assert.rejects(journal.append([ended('b')]));
  });
});
