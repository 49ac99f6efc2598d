import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../test/any-text.ts';
import { createEmptyDatabase, type TestDatabase } from '../../test/test-database.ts';
import { bareArray, quotedArray } from './array-text.ts';

let test: TestDatabase;
before(async () => {
  test = await createEmptyDatabase();
});
after(() => test.drop());

async function readBack(kind: string, array: string): Promise<unknown[]> {
  const rows = await test.database.query<{ value: unknown }>(
    {
      name: '',
      text: `select value from unnest($1::${kind}[]) with ordinality as t (value, n) order by n`,
    },
    [array],
  );
  return rows.map(({ value }) => value);
}

it('sends any text to the database unchanged', async () => {
  const text = anyText({ maxLength: 20 }).filter(
    (value) => value.isWellFormed() && !value.includes('\0'),
  );
  const hard = fc.constantFrom('', 'null', 'NULL', '{}', ',', '"', '\\', ' a ', '\\"', '\n');
  const values = fc.array(fc.option(fc.oneof(text, hard)), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(values, async (given) => {
      assert.deepEqual(await readBack('text', quotedArray(given)), given);
    }),
    { numRuns: 200 },
  );
});

it('sends numbers, booleans, ids and our own words to the database unchanged', async () => {
  const id = '01a1dd9f-9ee0-70b4-8822-5d3f1e276210';
  assert.deepEqual(await readBack('uuid', bareArray([id, null])), [id, null]);
  assert.deepEqual(await readBack('bigint', bareArray([10n ** 12n, null])), [10n ** 12n, null]);
  assert.deepEqual(await readBack('integer', bareArray([7, -1, 0])), [7, -1, 0]);
  assert.deepEqual(await readBack('boolean', bareArray([true, false])), [true, false]);
  const words = ['in_doubt', 'transfer.created', '+260977433571', 'mtn-zm'];
  assert.deepEqual(await readBack('text', bareArray(words)), words);
  assert.deepEqual(await readBack('text', bareArray([])), []);
});
