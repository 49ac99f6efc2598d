import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { scriptRoute } from '../../test/fake-route.ts';
import { prepareTransfer, storeTestTransfer } from '../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createTurns } from '../background/turns.ts';
import { readConfig } from '../config/config.ts';
import { createControlSnapshots } from '../controls/control-snapshots.ts';
import type { Book } from '../domain/book.ts';
import type { NextStep } from '../domain/standing.ts';
import type { TransferCommand } from '../domain/transfer.ts';
import { CommitQueueFull } from '../postgres/commit-queue.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import type { PreparedTransfer } from '../transfers/accept/prepared-transfer.ts';
import type { Move } from '../transfers/move/move-transfers.ts';
import {
  type CommitQueues,
  createCommitQueues,
  INITIATIONS_OF_BOOK_WAITING_MAX,
} from './commit-queues.ts';

const leaseOwner = randomUUID();
let test: TestDatabase;
let commitQueues: CommitQueues;
let book: Book;
let walletId: string;

before(async () => {
  test = await createTestDatabase();
  const monotonicMs = () => performance.now();
  commitQueues = createCommitQueues(
    {
      writes: test.database,
      groupWrites: test.database,
      leaseOwner,
      now: () => new Date(),
      monotonicMs,
      metrics: createMetrics({ monotonicMs }),
      config: readConfig({}),
      wait: async () => undefined,
      turns: createTurns(1),
      routes: scriptRoute({}).routes,
    },
    createControlSnapshots(test),
    () => undefined,
  );
  book = await createTestBook(test.database);
  walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 100_000n });
});
after(() => test.drop());

const PAID: NextStep = {
  to: 'succeeded',
  cause: 'the operator paid',
  failure: null,
  operatorTransactionId: null,
  nextActionInMs: null,
  checks: 0,
  notFoundAnswers: 0,
  needsPerson: false,
};

async function moveTo(to: NextStep['to']): Promise<Move> {
  const transfer = await storeTestTransfer(test.database, { book, walletId, leaseOwner });
  const step = { ...PAID, to };
  return { transfer, step, actor: 'test', needsLease: false, leaseFor: null };
}

/** As a bug would leave it: what it holds cannot be read. */
function torn(prepared: PreparedTransfer): PreparedTransfer {
  return {
    ...prepared,
    get command(): TransferCommand {
      throw new Error('torn command');
    },
  };
}

const kinds = (settled: readonly PromiseSettledResult<unknown>[]) =>
  settled.map(({ status }) => status);

it('takes payouts of others while both books of a merchant have all that they may have waiting', async () => {
  const live: Book = { ...book, id: randomUUID(), mode: 'live' };
  const other = await createTestBook(test.database);
  const otherWallet = await createTestWallet(test.database, {
    bookId: other.id,
    fundedMinor: 100n,
  });
  // Unknown wallets: each is refused when it is decided.
  const many = (of: Book, count: number) =>
    Array.from({ length: count }, () => prepareTransfer(of, { walletId: randomUUID() }));
  const { initiations } = commitQueues;
  const taken = [book, live].flatMap((of) =>
    initiations.submitMany(many(of, INITIATIONS_OF_BOOK_WAITING_MAX)),
  );
  const isOwnShare = (error: unknown) => error instanceof CommitQueueFull && error.isOfOwner;
  for (const one of [book, live]) {
    assert.throws(() => initiations.submitMany(many(one, 1)), isOwnShare);
    await assert.rejects(
      initiations.submit(prepareTransfer(one, { walletId: randomUUID() })),
      isOwnShare,
    );
  }
  const paid = await initiations.submit(
    prepareTransfer(other, { walletId: otherWallet, amountMinor: 100n }),
  );
  assert.equal(paid.kind, 'accepted');
  await Promise.allSettled(taken);
});

describe('a command that cannot even be described to the database', () => {
  it('fails alone: moves that share its group are made', async () => {
    const moves = [await moveTo('succeeded'), await moveTo('scheduled'), await moveTo('succeeded')];
    const settled = await Promise.allSettled(commitQueues.moves.submitMany(moves));
    assert.deepEqual(settled[0], { status: 'fulfilled', value: true });
    assert.deepEqual(settled[2], { status: 'fulfilled', value: true });
    const [, bad] = settled;
    assert.ok(bad?.status === 'rejected');
    assert.match(String(bad.reason), /cannot go from submitting to scheduled/);
  });

  it('fails alone: payouts that share its group are stored, each once', async () => {
    const first = prepareTransfer(book, { walletId });
    const last = prepareTransfer(book, { walletId });
    const group = [first, torn(prepareTransfer(book, { walletId })), last];
    const settled = await Promise.allSettled(commitQueues.initiations.submitMany(group));
    assert.deepEqual(kinds(settled), ['fulfilled', 'rejected', 'fulfilled']);
    const rows = await test.database.query<{ reference: string }>(
      { name: '', text: 'select reference from transfers where reference = any($1::text[])' },
      [[first.command.reference, last.command.reference]],
    );
    assert.equal(rows.length, 2);
  });

  it('fails alone: payouts that are decided one by one beside it are stored', async () => {
    const first = prepareTransfer(book, { walletId });
    // An unknown wallet has the whole group decided under the wallets' locks.
    const unknown = prepareTransfer(book, { walletId: randomUUID() });
    const group = [unknown, first, torn(prepareTransfer(book, { walletId }))];
    const settled = await Promise.allSettled(commitQueues.initiations.submitMany(group));
    assert.deepEqual(kinds(settled), ['fulfilled', 'fulfilled', 'rejected']);
  });

  it('fails alone: callbacks that share its group are stored', async () => {
    const callback = {
      route: 'sandbox',
      method: 'POST',
      headers: {},
      body: Buffer.from('{}'),
      reading: 'unreadable',
      cause: null,
      operatorReference: null,
      claims: null,
      verified: false,
      reported: null,
      receivedAt: new Date(),
    } as const;
    const looping: Record<string, unknown> = {};
    looping['self'] = looping;
    const headers = looping as Record<string, string>;
    const settled = await Promise.allSettled(
      commitQueues.callbacks.submitMany([
        { ...callback, id: randomUUID() },
        { ...callback, id: randomUUID(), headers },
      ]),
    );
    assert.deepEqual(kinds(settled), ['fulfilled', 'rejected']);
  });
});
