import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { scriptRoute } from '../../../test/fake-route.ts';
import { prepareTransfer } from '../../../test/stored-transfer.ts';
import type { Book } from '../../domain/book.ts';
import { deriveOperatorReference } from '../../domain/operator-reference.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { createCommitQueue } from '../../postgres/commit-queue.ts';
import type { AcceptResult } from './decide-in-order.ts';
import { initiateTransfer } from './initiate-transfer.ts';
import { acceptTransfer, FROM_KEY, type PreparedTransfer } from './prepared-transfer.ts';

const BOOK: Book = {
  id: randomUUID(),
  merchantId: randomUUID(),
  mode: 'test',
  feeTerms: { fixedMinor: 0n, basisPoints: 0 },
  isSuspended: false,
  controlsVersion: null,
};

type Commit = (group: readonly PreparedTransfer[]) => Promise<readonly AcceptResult[]>;

const acceptAll: Commit = async (group) =>
  group.map((prepared) => ({
    kind: 'accepted',
    transfer: acceptTransfer(prepared, new Date()).transfer,
  }));

function createBackend({
  commit = acceptAll,
  waitingMax = 100,
  waitingOfOwnerMax = waitingMax + 1,
  routed = true,
  slotsMax = 10,
}: {
  commit?: Commit;
  waitingMax?: number;
  waitingOfOwnerMax?: number;
  routed?: boolean;
  slotsMax?: number;
}) {
  const dispatched: Transfer[] = [];
  const groups = createCommitQueue<PreparedTransfer, AcceptResult>({
    ownerOf: ({ book }) => book.id,
    concurrency: 1,
    groupMax: 10,
    waitingMax,
    waitingOfOwnerMax,
    commit,
    mayBeOneCommandsFault: () => false,
    monotonicMs: () => performance.now(),
  });
  const { routes, limiter } = scriptRoute({ slotsMax });
  const deps = {
    database: { transaction: () => Promise.reject(new Error('no merchant is suspended here')) },
    groups,
    controls: { find: () => null, findCurrent: () => Promise.resolve(null) },
    matchName: () => Promise.resolve(null),
    routes: routed ? routes : { ...routes, list: () => [] },
    dispatch: (transfer: Transfer) => void dispatched.push(transfer),
    newId: () => randomUUID(),
    now: () => new Date(),
    monotonicMs: () => performance.now(),
  };
  const pay = (amountMinor = 100n) => {
    const { command } = prepareTransfer(BOOK, { walletId: randomUUID(), amountMinor });
    return initiateTransfer(deps, { book: BOOK, actor: 'test', origin: FROM_KEY, command });
  };
  return { pay, limiter, dispatched };
}

describe('initiating a transfer', () => {
  it('derives the operator reference, so that a lost order is sent under the same reference again', async () => {
    const { pay } = createBackend({});
    const { transfer } = await pay();
    const { bookId, reference, operatorReference } = transfer;
    const derived = deriveOperatorReference({ bookId, reference, submission: 1 });
    assert.equal(operatorReference, derived);
  });

  it('sends it at once when there is a free slot, and queues it when there is none', async () => {
    const { pay, dispatched } = createBackend({ slotsMax: 2 });
    const states = [(await pay()).transfer.state, (await pay()).transfer.state];
    assert.deepEqual(states, ['submitting', 'queued']);
    assert.equal(dispatched.length, 1);
  });

  const fullQueues = [
    { status: '503', code: 'UNAVAILABLE', full: 'the queue', bounds: { waitingMax: 1 } },
    { status: '429', code: 'RATE_LIMITED', full: 'its share', bounds: { waitingOfOwnerMax: 1 } },
  ];
  for (const { status, code, full, bounds } of fullQueues) {
    it(`answers ${status} with Retry-After when ${full} is full, and releases the slot`, async () => {
      let letGo: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const { pay, limiter } = createBackend({
        ...bounds,
        commit: async (group) => {
          await held;
          return acceptAll(group);
        },
      });
      const first = pay();
      await new Promise((resolve) => setImmediate(resolve));
      const second = pay();
      await assert.rejects(pay(), (error) => {
        assert.ok(error instanceof Refusal);
        assert.equal(error.code, code);
        assert.ok((error.detail.retryAfterSeconds ?? 0) > 0);
        return true;
      });
      assert.equal(limiter.used(), 2);
      letGo();
      await Promise.all([first, second]);
    });
  }

  it('releases the slot when the database does not answer', async () => {
    const { pay, limiter } = createBackend({
      commit: () => Promise.reject(new Error('connection lost')),
    });
    await assert.rejects(pay(), /connection lost/);
    assert.equal(limiter.used(), 0);
  });

  it('takes no slot for a transfer without a route, and lets duplicates be found first', async () => {
    const seen: PreparedTransfer[] = [];
    const commit: Commit = (group) => {
      seen.push(...group);
      return acceptAll(group);
    };
    await createBackend({ routed: false, commit }).pay();
    await createBackend({ commit }).pay(1_000_001n);
    assert.deepEqual(
      seen.map(({ unroutable, slot }) => ({ unroutable, slot })),
      [
        { unroutable: 'OPERATOR_NOT_AVAILABLE', slot: undefined },
        { unroutable: 'AMOUNT_OUT_OF_BOUNDS', slot: undefined },
      ],
    );
  });
});
