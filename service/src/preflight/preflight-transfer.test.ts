import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { scriptRoute } from '../../test/fake-route.ts';
import { storeTestTransfer } from '../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createControlSnapshots } from '../controls/control-snapshots.ts';
import { openIncident } from '../transfers/move/open-incident.ts';
import { type PreflightDeps, preflightTransfer } from './preflight-transfer.ts';

/** The largest amount that the fake route takes. */
const ROUTE_MAX_MINOR = 1_000_000n;

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

async function preflight(
  amountMinor: bigint,
  { isPaid = false, ...deps }: Partial<PreflightDeps> & { isPaid?: boolean } = {},
) {
  const { database } = test;
  const book = await createTestBook(database);
  const walletId = await createTestWallet(database, { bookId: book.id, fundedMinor: 10_000_000n });
  let earlierId: string | undefined;
  if (isPaid) {
    const order = { book, walletId, reference: 'a', leaseOwner: randomUUID() };
    const transfer = await storeTestTransfer(database, order);
    earlierId = transfer.id;
    const said = { kind: 'paid_after_failure', at: new Date() } as const;
    await openIncident(database, { id: randomUUID(), transfer, ...said });
  }
  const { routes } = scriptRoute({});
  const controls = createControlSnapshots({ database });
  const names = { ask: async () => ({ kind: 'unsupported' }) as const };
  const forever = () => new Promise(() => undefined);
  const order = {
    amountMinor,
    reference: isPaid ? 'a.retry-1' : null,
    phone: '+260977433571',
    operator: 'airtel',
    country: 'zm',
    walletId,
    narration: null,
    recipientName: null,
    metadata: null,
    sendAt: null,
  } as const;
  const found = await preflightTransfer(
    { database, routes, names, controls, now: () => new Date(), wait: forever, ...deps },
    { book, actor: { kind: 'key', id: book.id }, order, problems: [] },
  );
  return { ...found, earlierId };
}

describe('a preflight', () => {
  it('finds an amount that no route takes', async () => {
    const codes = async (amountMinor: bigint) =>
      (await preflight(amountMinor)).problems.map(({ code }) => code);
    assert.deepEqual(await codes(ROUTE_MAX_MINOR), []);
    assert.deepEqual(await codes(ROUTE_MAX_MINOR + 1n), ['AMOUNT_OUT_OF_BOUNDS']);
  });

  it('finds that it would pay again what the operator says it paid, and names that', async () => {
    const { problems, earlierId } = await preflight(100n, { isPaid: true });
    assert.ok(earlierId);
    assert.deepEqual(
      problems.map(({ code, field, transferId }) => [code, field, transferId]),
      [['EARLIER_MAY_BE_PAID', 'reference', earlierId]],
    );
  });

  it('does not wait for an operator that is slow to report a name', async () => {
    const waited: number[] = [];
    const { name, problems } = await preflight(100n, {
      names: { ask: () => new Promise(() => undefined) },
      wait: async (ms) => void waited.push(ms),
    });
    assert.deepEqual([name, problems, waited], [{ kind: 'unknown' }, [], [3_000]]);
  });
});
