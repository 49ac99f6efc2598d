import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import * as fc from 'fast-check';
import { putPolicy } from '../../../test/put-policy.ts';
import { prepareTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { storePerson } from '../../../test/test-person.ts';
import { createControlSnapshots } from '../../controls/control-snapshots.ts';
import type { Book } from '../../domain/book.ts';
import { commitTransfers } from './commit-transfers.ts';
import type { AcceptResult } from './decide-in-order.ts';
import { judgePrepared } from './judge-in-order.ts';
import type { PreparedTransfer } from './prepared-transfer.ts';

const RUNS = 40;

let test: TestDatabase;
let book: Book;
let walletId: string;
before(async () => {
  test = await createTestDatabase();
  book = await createTestBook(test.database);
  const { merchantId } = book;
  await storePerson(test.database, { roles: [{ merchantId, role: 'approver' }] });
  await storePerson(test.database, { roles: [{ merchantId, role: 'owner' }] });
  walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 10n ** 10n });
});
after(() => test.drop());

const when = fc.record(
  {
    amountAtLeast: fc.constantFrom('1.00', '5.00', '9.99'),
    amountBelow: fc.constantFrom('10.00', '11.00'),
    source: fc.subarray(['api', 'console', 'file'], { minLength: 1 }),
    operator: fc.subarray(['airtel', 'mtn'], { minLength: 1 }),
    metadata: fc.constant({ team: 'a' }),
  },
  { requiredKeys: [] },
);
const require = fc.constantFrom(
  { refuse: true },
  { warn: true },
  { approvals: 1, of: ['approver'] },
  { approvals: 2, of: ['approver', 'owner'] },
  { screen: 'payouts' },
);
const anyRules = fc
  .array(fc.record({ when, require }), { maxLength: 4 })
  .map((rules) => rules.map((rule, index) => ({ name: `r${index}`, ...rule })));
const anyOrder = fc.record({
  amountMinor: fc.bigInt({ min: 1n, max: 12_00n }),
  operator: fc.constantFrom('airtel' as const, 'mtn' as const),
  metadata: fc.constantFrom(null, { team: 'a' }),
  source: fc.constantFrom('api' as const, 'file' as const),
});

function describe(result: AcceptResult | undefined): unknown {
  if (result === undefined) return undefined;
  if (result.kind === 'refused') return [result.refusal.code, result.refusal.detail.rule];
  const { state, policyVersion, rules, approvalsNeeded } = result.transfer;
  return { state, policyVersion, rules, approvalsNeeded };
}

it('judges simple policies at once as it would one by one', async () => {
  const controls = createControlSnapshots(test);
  const deps = {
    database: test.database,
    leaseOwner: randomUUID(),
    now: () => new Date(),
    controls,
  };
  await fc.assert(
    fc.asyncProperty(
      anyRules,
      fc.array(anyOrder, { minLength: 1, maxLength: 5 }),
      async (rules, orders) => {
        await putPolicy(test.database, book, rules);
        const inForce = await controls.findCurrent(book.id);
        const prepare = ({ source, ...order }: (typeof orders)[number]): PreparedTransfer => {
          const plain = prepareTransfer(book, { walletId, ...order });
          const origin = { ...plain.origin, source };
          const under = { ...plain, origin, controls: inForce };
          return { ...under, judged: judgePrepared(under, new Date()) };
        };
        const atOnce = await Promise.all(
          orders.map(async (order) => (await commitTransfers(deps, [prepare(order)]))[0]),
        );
        const unroutable = { ...prepareTransfer(book, { walletId }), controls: inForce };
        const forced: PreparedTransfer = { ...unroutable, unroutable: 'AMOUNT_OUT_OF_BOUNDS' };
        const inOrder = await commitTransfers(deps, [...orders.map(prepare), forced]);
        assert.deepEqual(inOrder.slice(0, -1).map(describe), atOnce.map(describe));
        // A process that knows of no controls comes to the same.
        const unknowing = orders.map((order) => ({
          ...prepare(order),
          controls: null,
          judged: null,
        }));
        assert.deepEqual(
          (await commitTransfers(deps, unknowing)).map(describe),
          atOnce.map(describe),
        );
      },
    ),
    { numRuns: RUNS },
  );
});
