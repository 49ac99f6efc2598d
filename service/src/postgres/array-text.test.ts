import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import * as fc from 'fast-check';
import { createEmptyDatabase, type TestDatabase } from '../../test/test-database.ts';
import { bareArray, quotedArray } from './array-text.ts';

let test: TestDatabase;
before(async () => {
  test = await createEmptyDatabase();
});
after(() => test.drop());

/** Beside a column that has a value in every row, as in every statement. */
async function readBack(kind: string, array: string, count: number): Promise<unknown[]> {
  const rows = await test.database.query<{ value: unknown }>(
    {
      name: '',
      text: `
        select value
        from unnest($1::${kind}[], array(select generate_series(1, $2::integer))) as t (value, n)
        order by n`,
    },
    [array, count],
  );
  return rows.map(({ value }) => value);
}

it('sends any text to the database unchanged', async () => {
  const text = fc
    .string({ unit: 'binary', maxLength: 20 })
    .filter((value) => value.isWellFormed() && !value.includes('\0'));
  const hard = fc.constantFrom('', 'null', 'NULL', '{}', ',', '"', '\\', ' a ', '\\"', '\n');
  const values = fc.array(fc.option(fc.oneof(text, hard)), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(values, async (given) => {
      assert.deepEqual(await readBack('text', quotedArray(given), given.length), given);
    }),
    { numRuns: 200 },
  );
});

it('sends numbers, booleans, ids and our own words to the database unchanged', async () => {
  const check = async (kind: string, values: Parameters<typeof bareArray>[0]) =>
    assert.deepEqual(await readBack(kind, bareArray(values), values.length), values);
  await check('uuid', ['01a1dd9f-9ee0-70b4-8822-5d3f1e276210', null]);
  await check('uuid', [null, null]);
  await check('bigint', [10n ** 12n, null]);
  await check('integer', [7, -1, 0]);
  await check('boolean', [true, false]);
  await check('text', ['in_doubt', 'transfer.created', '+260977433571', 'mtn-zm']);
  await check('text', []);
});
