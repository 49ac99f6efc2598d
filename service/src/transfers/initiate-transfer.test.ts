import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { scriptRoute } from '../../test/scripted-route.ts';
import { prepareTransfer } from '../../test/stored-transfer.ts';
import type { Book } from '../domain/book.ts';
import { deriveOperatorReference } from '../domain/operator-reference.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Transfer } from '../domain/transfer.ts';
import { createGroupCommit } from '../postgres/group-commit.ts';
import type { Decision } from './decide-in-order.ts';
import { initiateTransfer } from './initiate-transfer.ts';
import { acceptTransfer, type PreparedTransfer } from './prepared-transfer.ts';

const BOOK: Book = {
  id: randomUUID(),
  merchantId: randomUUID(),
  mode: 'test',
  feeTerms: { fixedMinor: 0n, basisPoints: 0 },
};

type Commit = (group: readonly PreparedTransfer[]) => Promise<readonly Decision[]>;

const acceptAll: Commit = async (group) =>
  group.map((prepared) => ({
    kind: 'accepted',
    transfer: acceptTransfer(prepared, new Date()).transfer,
  }));

function createDesk({
  commit = acceptAll,
  waitingMax = 100,
  routed = true,
  placesMax = 10,
}: {
  commit?: Commit;
  waitingMax?: number;
  routed?: boolean;
  placesMax?: number;
}) {
  const dispatched: Transfer[] = [];
  const groups = createGroupCommit<PreparedTransfer, Decision>({
    ownerOf: ({ book }) => book.id,
    lanes: 1,
    groupMax: 10,
    waitingMax,
    commit,
    mayBeOneCommandsFault: () => false,
    monotonicMs: () => performance.now(),
  });
  const { routes, gate } = scriptRoute({ placesMax });
  const deps = {
    groups,
    routes: routed ? routes : { ...routes, list: () => [] },
    dispatch: (transfer: Transfer) => void dispatched.push(transfer),
    newId: () => randomUUID(),
    now: () => new Date(),
    monotonicMs: () => performance.now(),
  };
  const pay = (amountMinor = 100n) => {
    const { command } = prepareTransfer(BOOK, { walletId: randomUUID(), amountMinor });
    return initiateTransfer(deps, { book: BOOK, actor: 'test', command });
  };
  return { pay, gate, dispatched };
}

describe('initiating a transfer', () => {
  it('derives the operator reference, so that a forgotten order goes out under the same', async () => {
    const { pay } = createDesk({});
    const { transfer } = await pay();
    const { bookId, reference, operatorReference } = transfer;
    const derived = deriveOperatorReference({ bookId, reference, submission: 1 });
    assert.equal(operatorReference, derived);
  });

  it('sends it out at once when there is a place, and queues it when there is none', async () => {
    const { pay, dispatched } = createDesk({ placesMax: 2 });
    const states = [(await pay()).transfer.state, (await pay()).transfer.state];
    assert.deepEqual(states, ['submitting', 'queued']);
    assert.equal(dispatched.length, 1);
  });

  it('answers 503 with Retry-After when the queue is full, and gives the place back', async () => {
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const { pay, gate } = createDesk({
      waitingMax: 1,
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
      assert.equal(error.code, 'UNAVAILABLE');
      assert.ok((error.detail.retryAfterSeconds ?? 0) > 0);
      return true;
    });
    assert.equal(gate.used(), 2);
    letGo();
    await Promise.all([first, second]);
  });

  it('gives the place back when the database does not answer', async () => {
    const { pay, gate } = createDesk({
      commit: () => Promise.reject(new Error('connection lost')),
    });
    await assert.rejects(pay(), /connection lost/);
    assert.equal(gate.used(), 0);
  });

  it('takes no place for what cannot go out, and lets duplicates be found first', async () => {
    const seen: PreparedTransfer[] = [];
    const commit: Commit = (group) => {
      seen.push(...group);
      return acceptAll(group);
    };
    await createDesk({ routed: false, commit }).pay();
    await createDesk({ commit }).pay(1_000_001n);
    assert.deepEqual(
      seen.map(({ unroutable, reserved }) => ({ unroutable, reserved })),
      [
        { unroutable: 'OPERATOR_NOT_AVAILABLE', reserved: false },
        { unroutable: 'AMOUNT_OUT_OF_BOUNDS', reserved: false },
      ],
    );
  });
});
