import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { scriptRoute } from '../../test/fake-route.ts';
import { KEY, openFileWorld, PAID, refusedAs, rowsOf } from '../../test/file-world.ts';
import { type FeeTerms, feeOf } from '../domain/fee.ts';
import type { Outcome } from '../domain/outcome.ts';
import { createFileContent, type RowContent } from './file-content.ts';
import { retryFailedRows } from './retry-failed-rows.ts';

const world = openFileWorld();
const { deps, startProcess, store, submit, untilState, fileOf } = world;

const REFUSED: Outcome = {
  kind: 'rejected',
  failure: 'OPERATOR_REJECTED',
  cause: 'test',
};
const FIXED_50 = { fixedMinor: 50n, basisPoints: 0 };
const FIXED_75 = { fixedMinor: 75n, basisPoints: 0 };

const query = <R extends Record<string, unknown>>(text: string, values: readonly unknown[]) =>
  world.database.query<R>({ name: '', text }, values);

const setTerms = ({ fixedMinor, basisPoints }: FeeTerms) =>
  query('update books set fee_fixed_minor = $2, fee_basis_points = $3 where id = $1', [
    world.book.id,
    fixedMinor,
    basisPoints,
  ]);

async function feesOf(table: 'payout_file_rows' | 'transfers', fileId: string) {
  const text = `select fee_minor from ${table} where file_id = $1 order by fee_minor`;
  return (await query<{ fee_minor: bigint }>(text, [fileId])).map(({ fee_minor }) => fee_minor);
}

async function versionOf(id: string): Promise<number> {
  const [row] = await query<{ version: number }>('select version from payout_files where id = $1', [
    id,
  ]);
  return row?.version ?? assert.fail();
}

describe('the fees of a payout file', () => {
  it('are charged as they were when it was submitted, whatever they are when its rows are paid', async () => {
    const id = await store(rowsOf(3));
    await setTerms(FIXED_50);
    await submit(id, { payAt: new Date(Date.now() + 500) });
    assert.deepEqual(await feesOf('payout_file_rows', id), [50n, 50n, 50n]);
    await setTerms(FIXED_75);
    startProcess(scriptRoute({ submit: () => PAID }));
    await untilState(id, 'done');
    assert.deepEqual(await feesOf('transfers', id), [50n, 50n, 50n]);
  });

  it('are those of today when it is submitted, and people who saw others look again first', async () => {
    const id = await store(rowsOf(2));
    const version = await versionOf(id);
    await setTerms(FIXED_50);
    await assert.rejects(submit(id, { version }), refusedAs('CONTENT_CHANGED'));
    assert.deepEqual(
      [(await fileOf(id)).state, await feesOf('payout_file_rows', id)],
      ['draft', [50n, 50n]],
    );
    await submit(id, { version: await versionOf(id), payAt: new Date(Date.now() + 60_000) });
    assert.equal((await fileOf(id)).state, 'scheduled');
  });

  it('follow the rule of single transfers', async () => {
    const amounts = [1n, 49n, 50n, 99n, 12_345n, 100_000_000_000n];
    for (const terms of [
      { fixedMinor: 0n, basisPoints: 0 },
      { fixedMinor: 13n, basisPoints: 99 },
      { fixedMinor: 1_000_000n, basisPoints: 10_000 },
    ]) {
      const id = await store(amounts.map((amountMinor) => ({ amountMinor })));
      await setTerms(terms);
      await submit(id, { payAt: new Date(Date.now() + 60_000) });
      const expected = amounts.map((amountMinor) => feeOf(terms, amountMinor));
      assert.deepEqual(await feesOf('payout_file_rows', id), expected);
    }
  });

  it('of failed rows that are paid again are those of today', async () => {
    const id = await store(rowsOf(2));
    await submit(id);
    startProcess(scriptRoute({ submit: () => REFUSED }));
    await untilState(id, 'done');
    await setTerms(FIXED_75);
    const again = await retryFailedRows(deps(), { book: world.book, actor: KEY, id });
    assert.deepEqual(await feesOf('payout_file_rows', again.id), [75n, 75n]);
  });

  it('are part of what people approve', () => {
    const order = {
      bookId: randomUUID(),
      fileId: randomUUID(),
      currency: 'ZMW',
      walletId: null,
      payAt: null,
    } as const;
    const row: RowContent = {
      number: 1,
      phone: '+260977433571',
      operator: 'mtn',
      country: 'zm',
      amountMinor: 100n,
      feeMinor: 50n,
      recipientName: null,
      narration: null,
      givenReference: null,
      replaces: null,
      nameMatch: null,
    };
    const hashWith = (feeMinor: bigint) => {
      const content = createFileContent();
      content.add({ ...row, feeMinor });
      return content.hash(order);
    };
    assert.notEqual(hashWith(50n), hashWith(75n));
    assert.equal(hashWith(50n), hashWith(50n));
  });
});
