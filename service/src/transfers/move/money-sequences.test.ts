import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import * as fc from 'fast-check';
import { prepareTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { createControlSnapshots } from '../../controls/control-snapshots.ts';
import type { Book } from '../../domain/book.ts';
import type { NextStep } from '../../domain/standing.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { STATE_RULES, type TransferState } from '../../domain/transfer-state.ts';
import { verifyLedger } from '../../ledger/verify-ledger.ts';
import { commitTransfers } from '../accept/commit-transfers.ts';
import { moveTransfers } from './move-transfers.ts';

const ME = randomUUID();
const now = () => new Date();
let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

type Action =
  | Readonly<{ kind: 'pay'; amounts: readonly bigint[]; feeMinor: bigint; reserved: boolean }>
  /** Moves the n-th transfer to one of the states that it may move to. */
  | Readonly<{ kind: 'move'; nth: number; way: number }>;

const actions: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    kind: fc.constant('pay' as const),
    amounts: fc.array(fc.bigInt(1n, 80n), { minLength: 1, maxLength: 6 }),
    feeMinor: fc.bigInt(0n, 5n),
    reserved: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('move' as const), nth: fc.nat(30), way: fc.nat(9) }),
);

async function act(action: Action, world: { book: Book; walletId: string; transfers: Transfer[] }) {
  if (action.kind === 'pay') {
    const { amounts, feeMinor, reserved } = action;
    const { book, walletId } = world;
    const group = amounts.map((amountMinor) =>
      prepareTransfer(book, { walletId, amountMinor, feeMinor, reserved }),
    );
    const controls = createControlSnapshots(test);
    const deps = { database: test.database, leaseOwner: ME, now, controls };
    for (const decision of await commitTransfers(deps, group)) {
      if (decision.kind === 'accepted') world.transfers.push(decision.transfer);
    }
    return;
  }
  const at = world.transfers.length === 0 ? 0 : action.nth % world.transfers.length;
  const transfer = world.transfers[at];
  const ways = transfer === undefined ? [] : STATE_RULES[transfer.state].next;
  const to = ways[action.way % Math.max(1, ways.length)];
  if (transfer === undefined || to === undefined) return;
  const move = { transfer, step: stepTo(to), actor: 'test', needsLease: false, leaseFor: null };
  const [moved] = await moveTransfers(test.database, { moves: [move], mover: ME, at: now() });
  assert.equal(moved, true);
  world.transfers[at] = {
    ...transfer,
    state: to,
    eventSeq: transfer.eventSeq + (transfer.state === to ? 0 : 1),
  };
}

function stepTo(to: TransferState): NextStep {
  const failure = to === 'failed' ? 'OPERATOR_REJECTED' : to === 'cancelled' ? 'CANCELLED' : null;
  return {
    to,
    cause: 'test',
    failure,
    operatorTransactionId: null,
    nextActionInMs: STATE_RULES[to].status === 'pending' ? 60_000 : null,
    checks: 0,
    notFoundAnswers: 0,
    needsPerson: false,
  };
}

it('any sequence of payouts and moves leaves a ledger that verifies', async () => {
  const sequences = fc.array(actions, { minLength: 5, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      const book = await createTestBook(test.database);
      const walletId = await createTestWallet(test.database, {
        bookId: book.id,
        fundedMinor: 500n,
      });
      const world = { book, walletId, transfers: [] };
      for (const action of sequence) await act(action, world);
    }),
    { numRuns: 40 },
  );
  const { problems, transfersChecked } = await verifyLedger(test.database);
  assert.deepEqual(problems, []);
  assert.ok(transfersChecked > 100, `only ${transfersChecked} transfers were checked`);
});
