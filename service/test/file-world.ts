import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createControlSnapshots } from '../src/controls/control-snapshots.ts';
import { createDispatcher } from '../src/dispatcher/dispatcher.ts';
import { createScanner } from '../src/dispatcher/scanner.ts';
import type { Actor } from '../src/domain/actor.ts';
import type { Book } from '../src/domain/book.ts';
import { type Outcome, REPORTED_FIELDS } from '../src/domain/outcome.ts';
import { Refusal } from '../src/domain/refusal.ts';
import { createDueWorkFinder } from '../src/due-work/due-work-finder.ts';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import { createFilePayer } from '../src/payout-files/file-payer.ts';
import { type Submission, submitFile } from '../src/payout-files/submit-file.ts';
import { isFaultOfOneCommand } from '../src/postgres/bad-command.ts';
import { createCommitQueue } from '../src/postgres/commit-queue.ts';
import { createLogger } from '../src/telemetry/logger.ts';
import { commitTransfers } from '../src/transfers/accept/commit-transfers.ts';
import type { AcceptResult } from '../src/transfers/accept/decide-in-order.ts';
import type { InitiateDeps } from '../src/transfers/accept/initiate-transfer.ts';
import type { PreparedTransfer } from '../src/transfers/accept/prepared-transfer.ts';
import { type Move, moveTransfers } from '../src/transfers/move/move-transfers.ts';
import type { FakeRoute } from './fake-route.ts';
import { pollUntil } from './poll.ts';
import { type StoredFileRow, storedReference, storeFile } from './stored-file.ts';
import { createTestBook, createTestWallet } from './test-book.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

const FUNDED = 10_000_000n;
export const PAID: Outcome = {
  kind: 'paid',
  operatorTransactionId: 'receipt-1',
  confirmed: REPORTED_FIELDS,
};
export const KEY: Actor = { kind: 'key', id: randomUUID() };

export const refusedAs = (code: string) => (error: unknown) =>
  error instanceof Refusal && error.code === code;

export const rowsOf = (count: number): readonly StoredFileRow[] =>
  Array.from({ length: count }, () => ({}));

type FileFacts = {
  state: string;
  rows_created: number;
  rows_refused: number;
  rows_succeeded: number;
  rows_failed: number;
  rows_cancelled: number;
  next_action_at: Date | null;
  ended_as: string | null;
};

/** A database with payout files for the tests of one file. Each test has a new book with a funded wallet. */
export function openFileWorld() {
  let test: TestDatabase;
  let book: Book;
  let walletId: string;
  const running: Readonly<{ stop(): Promise<void> }>[] = [];

  async function openBook(): Promise<void> {
    book = await createTestBook(test.database);
    walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: FUNDED });
  }
  before(async () => {
    test = await createTestDatabase();
  });
  beforeEach(openBook);
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
  });
  after(() => test.drop());

  const deps = () => ({
    database: test.database,
    controls: createControlSnapshots(test),
    now: () => new Date(),
    newId: () => randomUUID(),
  });

  /** One process that pays files: commit queues, dispatcher, scanner and payer with a lease owner of their own. */
  function startProcess(operator: FakeRoute) {
    const leaseOwner = randomUUID();
    const { database, controls } = deps();
    const monotonicMs = () => performance.now();
    const shared = { concurrency: 1, groupMax: 1_024, waitingMax: 5_000, monotonicMs };
    const groups = createCommitQueue<PreparedTransfer, AcceptResult>({
      ...shared,
      ownerOf: (prepared) => prepared.book.id,
      commit: (group) =>
        commitTransfers({ database, leaseOwner, now: () => new Date(), controls }, group),
      mayBeOneCommandsFault: isFaultOfOneCommand,
    });
    const moves = createCommitQueue<Move, boolean>({
      ...shared,
      ownerOf: ({ transfer }) => transfer.bookId,
      commit: (group) =>
        moveTransfers(database, { moves: group, mover: leaseOwner, at: new Date() }),
      mayBeOneCommandsFault: isFaultOfOneCommand,
    });
    const common = {
      ...deps(),
      moves,
      routes: operator.routes,
      logger: createLogger({ level: 'silent' }),
      monotonicMs,
      wait: (ms: number) => wait(ms),
      random: Math.random,
      observe: () => undefined,
    };
    const dispatcher = createDispatcher(common);
    const initiate: InitiateDeps = {
      ...common,
      groups,
      controls,
      matchName: () => Promise.resolve(null),
      dispatch: dispatcher.submit,
    };
    const scanner = createScanner({ ...common, dispatcher, leaseOwner });
    const payer = createFilePayer({ ...common, initiate, cancel: common, leaseOwner });
    scanner.start();
    const finder = createDueWorkFinder({ ...common, loops: { payoutFiles: payer } });
    payer.start();
    finder.start();
    const stop = async () => {
      await Promise.all([scanner.stop(), payer.stop(), finder.stop()]);
      await dispatcher.idle();
    };
    running.push({ stop });
    return { initiate, leaseOwner, stop };
  }

  const store = (rows: readonly StoredFileRow[]) =>
    storeFile(test.database, { bookId: book.id, walletId, rows });
  const submit = (id: string, changes: Partial<Submission> = {}, now = () => new Date()) =>
    submitFile(
      { ...deps(), now },
      {
        book,
        actor: KEY,
        id,
        contentHash: null,
        walletId: null,
        payAt: null,
        ...changes,
      },
    );

  async function fileOf(id: string): Promise<FileFacts> {
    const [row] = await test.database.query<FileFacts>(
      {
        name: '',
        text: `select state, rows_created, rows_refused, rows_succeeded, rows_failed, rows_cancelled, next_action_at,
                 ended_as
               from payout_files where id = $1`,
      },
      [id],
    );
    assert.ok(row !== undefined);
    return row;
  }

  const untilState = (id: string, state: string) =>
    pollUntil(`the file is ${state}`, async () => (await fileOf(id)).state === state, 30_000);

  function transfersOf(fileId: string) {
    return test.database.query<{
      id: string;
      reference: string;
      state: string;
      amount_minor: bigint;
      source: string;
      replaces: string | null;
    }>(
      {
        name: '',
        text: `select id, reference, state, amount_minor, source, replaces
               from transfers where file_id = $1 order by reference`,
      },
      [fileId],
    );
  }

  function rowsStored(fileId: string) {
    return test.database.query<{
      number: number;
      state: string;
      transfer_id: string | null;
      refusal_code: string | null;
    }>(
      {
        name: '',
        text: `select number, state, transfer_id, refusal_code from payout_file_rows
               where file_id = $1 order by number`,
      },
      [fileId],
    );
  }

  /** Every row has its own transfer, there is no other of the file, and the ledger agrees. */
  async function assertEachOnce(
    fileId: string,
    referenceOf = (number: number) => storedReference(fileId, number),
  ): Promise<void> {
    const rows = await rowsStored(fileId);
    const made = rows.flatMap(({ transfer_id }) => transfer_id ?? []);
    const transfers = await transfersOf(fileId);
    assert.equal(new Set(made).size, made.length, 'two rows have one transfer');
    assert.deepEqual(transfers.map(({ id }) => id).sort(), [...made].sort());
    const references = rows
      .filter(({ transfer_id }) => transfer_id !== null)
      .map(({ number }) => referenceOf(number));
    assert.deepEqual(transfers.map(({ reference }) => reference).sort(), references.sort());
    assert.deepEqual((await verifyLedger(test.database)).problems, []);
  }

  /** A single payout from the same wallet. */
  const commandOf = (reference: string) =>
    ({
      reference,
      idempotencyKey: null,
      amountMinor: 100n,
      phone: '+260977433571',
      operator: 'airtel',
      country: 'zm',
      currency: 'ZMW',
      walletId,
      narration: null,
      recipientName: null,
      metadata: null,
      sendAt: null,
    }) as const;

  return {
    get database() {
      return test.database;
    },
    get book() {
      return book;
    },
    get walletId() {
      return walletId;
    },
    openBook,
    deps,
    startProcess,
    store,
    submit,
    fileOf,
    untilState,
    transfersOf,
    rowsStored,
    assertEachOnce,
    commandOf,
  };
}
