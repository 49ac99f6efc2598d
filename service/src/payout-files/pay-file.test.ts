import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type FakeRoute, scriptRoute } from '../../test/fake-route.ts';
import { pollUntil } from '../../test/poll.ts';
import { type StoredFileRow, storedReference, storeFile } from '../../test/stored-file.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createControlSnapshots } from '../controls/control-snapshots.ts';
import { createDispatcher } from '../dispatcher/dispatcher.ts';
import { createDueWorkFinder } from '../dispatcher/due-work-finder.ts';
import { createFilePayer } from '../dispatcher/file-payer.ts';
import { createScanner } from '../dispatcher/scanner.ts';
import type { Actor } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import { type Outcome, SUBJECTS } from '../domain/outcome.ts';
import { Refusal } from '../domain/refusal.ts';
import { verifyLedger } from '../ledger/verify-ledger.ts';
import { isFaultOfOneCommand } from '../postgres/bad-command.ts';
import { createCommitQueue } from '../postgres/commit-queue.ts';
import { createLogger } from '../telemetry/logger.ts';
import { commitTransfers } from '../transfers/accept/commit-transfers.ts';
import type { AcceptResult } from '../transfers/accept/decide-in-order.ts';
import { type InitiateDeps, initiateTransfer } from '../transfers/accept/initiate-transfer.ts';
import { FROM_KEY, type PreparedTransfer } from '../transfers/accept/prepared-transfer.ts';
import { type Move, moveTransfers } from '../transfers/move/move-transfers.ts';
import { cancelFile } from './cancel-file.ts';
import { claimFiles } from './claim-files.ts';
import { recordRows } from './record-rows.ts';
import { retryFailedRows } from './retry-failed-rows.ts';
import { type Submission, submitFile } from './submit-file.ts';

const FUNDED = 10_000_000n;
const PAID: Outcome = { kind: 'paid', operatorTransactionId: 'receipt-1', confirmed: SUBJECTS };
const REJECTED: Outcome = { kind: 'rejected', failure: 'RECIPIENT_NOT_FOUND', cause: 'no' };
const LOST: Outcome = { kind: 'unknown', cause: 'timeout' };
const KEY: Actor = { kind: 'key', id: randomUUID() };

let test: TestDatabase;
let book: Book;
let walletId: string;
const running: Readonly<{ stop(): Promise<void> }>[] = [];
before(async () => {
  test = await createTestDatabase();
});
beforeEach(async () => {
  book = await createTestBook(test.database);
  walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: FUNDED });
});
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
    commit: (group) => moveTransfers(database, { moves: group, mover: leaseOwner, at: new Date() }),
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
  return { initiate, stop };
}

const rowsOf = (count: number): readonly StoredFileRow[] =>
  Array.from({ length: count }, () => ({}));
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

const refusedAs = (code: string) => (error: unknown) =>
  error instanceof Refusal && error.code === code;

describe('a payout file', () => {
  it('is paid row by row, each once, and then is done', async () => {
    const id = await store(rowsOf(450));
    await submit(id);
    startProcess(scriptRoute({ submit: () => PAID, slotsMax: 50 }));
    await untilState(id, 'done');
    const file = await fileOf(id);
    assert.deepEqual(
      [file.rows_created, file.rows_succeeded, file.rows_refused, file.next_action_at],
      [450, 450, 0, null],
    );
    assert.ok((await transfersOf(id)).every(({ source }) => source === 'file'));
    await assertEachOnce(id);
  });

  it('is paid once by two processes at once, however often it is submitted', async () => {
    const id = await store(rowsOf(600));
    const operator = scriptRoute({ submit: () => PAID, slotsMax: 50 });
    startProcess(operator);
    startProcess(operator);
    await Promise.all(Array.from({ length: 5 }, () => submit(id)));
    // A lease that ended lets both work on it at the same time.
    const expire = {
      name: '',
      text: 'update payout_files set next_action_at = now() where id = $1 and state = $2',
    };
    while ((await fileOf(id)).state !== 'done') {
      await test.database.query(expire, [id, 'paying']);
      await wait(5);
    }
    await submit(id);
    assert.equal((await transfersOf(id)).length, 600);
    const { rows_created, rows_succeeded } = await fileOf(id);
    assert.deepEqual([rows_created, rows_succeeded], [600, 600]);
    await assertEachOnce(id);
  });

  it('counts a row once that two processes record', async () => {
    const { initiate, stop } = startProcess(scriptRoute({ submit: () => PAID }));
    await stop();
    const id = await store([{}, {}]);
    await submit(id);
    const origin = { ...FROM_KEY, source: 'file', fileId: id } as const;
    const reference = storedReference(id, 1);
    const command = commandOf(reference);
    const { transfer } = await initiateTransfer(initiate, { book, actor: 'test', origin, command });
    const due = await claimFiles(test.database, { leaseOwner: randomUUID(), max: 100 });
    const claimed = due.find(({ file }) => file.id === id);
    assert.ok(claimed !== undefined);
    const row = { number: 1, reference };
    const paid = { ...row, transferId: transfer.id, code: null, detail: null };
    const late = { ...row, transferId: null, code: 'INSUFFICIENT_BALANCE', detail: 'Late.' };
    for (const outcome of [paid, paid, late]) {
      const record = { file: claimed.file, outcomes: [outcome], at: new Date() };
      await recordRows(test.database, record);
    }
    const { rows_created, rows_refused } = await fileOf(id);
    assert.deepEqual([rows_created, rows_refused], [1, 0]);
    assert.equal((await rowsStored(id))[0]?.transfer_id, transfer.id);
    await cancelFile(deps(), { book, actor: KEY, id });
  });

  it('finds the transfers of a process that died before it recorded them', async () => {
    const { initiate, stop } = startProcess(scriptRoute({ submit: () => PAID }));
    await stop();
    const id = await store([{}, {}, {}]);
    await submit(id);
    const [row] = await test.database.query<{ phone: string }>(
      { name: '', text: 'select phone from payout_file_rows where file_id = $1 and number = 2' },
      [id],
    );
    const command = {
      ...commandOf(storedReference(id, 2)),
      phone: row?.phone ?? '',
      recipientName: 'Person 2',
    };
    const origin = { ...FROM_KEY, source: 'file', fileId: id } as const;
    const { transfer } = await initiateTransfer(initiate, { book, actor: 'test', origin, command });
    // One that another order took is not the row's.
    await initiateTransfer(initiate, {
      book,
      actor: 'test',
      origin: FROM_KEY,
      command: commandOf(storedReference(id, 3)),
    });
    startProcess(scriptRoute({ submit: () => PAID, inquire: () => PAID }));
    await pollUntil('every row has had its turn', async () => {
      const { rows_created, rows_refused } = await fileOf(id);
      return rows_created + rows_refused === 3;
    });
    assert.deepEqual(
      (await rowsStored(id)).map(({ state, refusal_code }) => [state, refusal_code]),
      [
        ['created', null],
        ['created', null],
        ['refused', 'DUPLICATE_REFERENCE'],
      ],
    );
    assert.equal((await rowsStored(id))[1]?.transfer_id, transfer.id);
  });

  it('pays what the balance allows, refuses the other rows, and lets them be paid again', async () => {
    const poor = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 1_000n });
    const id = await store([{ amountMinor: 600n }, { amountMinor: 600n }, { amountMinor: 400n }]);
    await submit(id, { walletId: poor });
    startProcess(scriptRoute({ submit: () => PAID }));
    await untilState(id, 'done');
    const rows = await rowsStored(id);
    assert.deepEqual(
      rows.map(({ state, refusal_code }) => [state, refusal_code]),
      [
        ['created', null],
        ['refused', 'INSUFFICIENT_BALANCE'],
        ['created', null],
      ],
    );
    await assertEachOnce(id);
    const again = await retryFailedRows(deps(), { book, actor: KEY, id });
    await submit(again, { walletId });
    await untilState(again, 'done');
    const paid = (await transfersOf(again)).map(({ state, amount_minor }) => [state, amount_minor]);
    assert.deepEqual(paid, [['succeeded', 600n]]);
    // A refusal does not use the reference up.
    await assertEachOnce(again, () => storedReference(id, 2));
  });

  it('makes a draft of what failed, which names what it replaces and is paid once', async () => {
    const id = await store([{}, { phone: '+260977999999' }, {}]);
    await submit(id);
    const operator = scriptRoute({
      submit: ({ phone }) => (phone === '+260977999999' ? REJECTED : PAID),
    });
    startProcess(operator);
    await untilState(id, 'done');
    assert.equal((await fileOf(id)).rows_failed, 1);
    const again = await retryFailedRows(deps(), { book, actor: KEY, id });
    await assert.rejects(
      retryFailedRows(deps(), { book, actor: KEY, id }),
      refusedAs('INVALID_STATE'),
    );

    // A row that is dropped may go into another draft; restored, it still is paid by one of them.
    const setState = {
      name: '',
      text: 'update payout_file_rows set state = $2 where file_id = $1',
    };
    await test.database.query(setState, [again, 'dropped']);
    const third = await retryFailedRows(deps(), { book, actor: KEY, id });
    await test.database.query(setState, [again, 'ready']);
    await submit(again);
    await assert.rejects(submit(third), refusedAs('INVALID_STATE'));
    await untilState(again, 'done');
    const failed = (await transfersOf(id)).find(({ state }) => state === 'failed');
    const [replacement, ...others] = await transfersOf(again);
    assert.deepEqual([replacement?.replaces, others], [failed?.id, []]);
    assert.equal(replacement?.reference, `${storedReference(id, 2)}.retry-1`);
    const twice = await retryFailedRows(deps(), { book, actor: KEY, id: again });
    await submit(twice);
    await untilState(twice, 'done');
    const references = (await transfersOf(twice)).map(({ reference }) => reference);
    assert.deepEqual(references, [`${storedReference(id, 2)}.retry-2`]);
  });

  it('has the same references where its first upload is forgotten, and others where it is meant again', async () => {
    startProcess(scriptRoute({ submit: () => PAID }));
    const upload = async () =>
      storeFile(test.database, { bookId: book.id, walletId, rows: rowsOf(2), upload: 'salaries' });
    const pay = async (): Promise<readonly string[]> => {
      const id = await upload();
      await submit(id);
      await untilState(id, 'done');
      return (await transfersOf(id)).map(({ reference }) => reference);
    };
    // One that paid no row is no copy: its references were never used.
    const unpaid = await upload();
    await submit(unpaid, { payAt: new Date(Date.now() + 60_000) });
    await cancelFile(deps(), { book, actor: KEY, id: unpaid });
    const known = [await pay(), await pay()];
    assert.equal(new Set(known.flat()).size, 4);
    // A restored database knows as little of them as a new book.
    book = await createTestBook(test.database);
    walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: FUNDED });
    assert.deepEqual([await pay(), await pay()], known);
  });

  it('is done while a transfer is in doubt, and counts its end later', async () => {
    const id = await store(rowsOf(2));
    await submit(id);
    let answer: Outcome = LOST;
    startProcess(scriptRoute({ submit: () => LOST, inquire: () => answer, timeScale: 0.001 }));
    await untilState(id, 'done');
    assert.notEqual((await fileOf(id)).next_action_at, null);
    answer = PAID;
    await test.database.query(
      { name: '', text: 'update payout_files set next_action_at = now() where id = $1' },
      [id],
    );
    await pollUntil('all have ended', async () => {
      const states = (await transfersOf(id)).map(({ state }) => state);
      return states.every((state) => state === 'succeeded');
    });
    await test.database.query(
      { name: '', text: 'update payout_files set next_action_at = now() where id = $1' },
      [id],
    );
    await pollUntil('they are counted', async () => (await fileOf(id)).rows_succeeded === 2);
  });

  it('does not hold up other payouts of the same book', async () => {
    const id = await store(rowsOf(5_000));
    await submit(id);
    // It takes two and gives them back when the test has ended: all others wait for a slot.
    const operator = scriptRoute({ submit: async () => wait(10_000, PAID), slotsMax: 2 });
    const { initiate } = startProcess(operator);
    await pollUntil('it is being paid', async () => (await fileOf(id)).rows_created >= 600, 30_000);
    // Less than the time after which one more batch is made all the same.
    await wait(3_000);
    const created = (await fileOf(id)).rows_created;
    // 500 may wait, with the rest of their batch; on a slow machine one batch more.
    assert.ok(created <= 800, `${created} created, far more than the operator takes`);
    const startedMs = performance.now();
    const command = commandOf(randomUUID());
    await initiateTransfer(initiate, { book, actor: 'test', origin: FROM_KEY, command });
    const tookMs = performance.now() - startedMs;
    assert.ok(tookMs < 1_000, `accepted after ${tookMs} ms`);
    await cancelFile(deps(), { book, actor: KEY, id });
  });
});

describe('a payout file that is cancelled', () => {
  it('pays no row whose turn had not come, and none that it says is not paid', async () => {
    const id = await store(rowsOf(1_500));
    const operator = scriptRoute({ submit: async () => wait(5, PAID), slotsMax: 20 });
    startProcess(operator);
    startProcess(operator);
    await submit(id);
    await pollUntil('it is being paid', async () => (await fileOf(id)).rows_succeeded > 20, 20_000);
    await cancelFile(deps(), { book, actor: KEY, id });
    await pollUntil('it has ended', async () => (await fileOf(id)).next_action_at === null, 30_000);
    const file = await fileOf(id);
    assert.equal(file.state, 'cancelled');
    const rows = await rowsStored(id);
    const transfers = await transfersOf(id);
    assert.ok(transfers.length < 1_500, `${transfers.length} transfers were made`);
    assert.ok(transfers.every(({ state }) => state === 'succeeded' || state === 'cancelled'));
    assert.ok(rows.every(({ state }) => state === 'created' || state === 'refused'));
    assert.equal(file.rows_succeeded + file.rows_cancelled, file.rows_created);
    assert.equal(file.rows_created + file.rows_refused, 1_500);
    await assertEachOnce(id);
  });

  it('before its day pays no row', async () => {
    const id = await store(rowsOf(3));
    await submit(id, { payAt: new Date(Date.now() + 60_000) });
    assert.equal((await fileOf(id)).state, 'scheduled');
    await cancelFile(deps(), { book, actor: KEY, id });
    startProcess(scriptRoute({ submit: () => PAID }));
    await pollUntil('it has ended', async () => (await fileOf(id)).next_action_at === null);
    assert.deepEqual(await transfersOf(id), []);
    assert.equal((await fileOf(id)).rows_refused, 3);
  });
});

describe('a payout file without a day', () => {
  it('is paid at once, also when the clock of the process that took it is ahead', async () => {
    const id = await store(rowsOf(3));
    await submit(id, {}, () => new Date(Date.now() + 60 * 60_000));
    startProcess(scriptRoute({ submit: () => PAID }));
    await untilState(id, 'done');
  });
});

describe('a payout file with a day', () => {
  it('is paid when it has come, and not before', async () => {
    const id = await store(rowsOf(3));
    await submit(id, { payAt: new Date(Date.now() + 1_500) });
    startProcess(scriptRoute({ submit: () => PAID }));
    await wait(700);
    assert.deepEqual([(await fileOf(id)).state, await transfersOf(id)], ['scheduled', []]);
    await untilState(id, 'done');
    assert.equal((await fileOf(id)).rows_succeeded, 3);
  });

  it('waits for a person when the day passed long ago', async () => {
    const id = await store(rowsOf(3));
    // It was submitted yesterday, and the service was down since.
    const yesterday = Date.now() - 25 * 60 * 60_000;
    const payAt = new Date(yesterday + 1_000);
    await submit(id, { payAt }, () => new Date(yesterday));
    startProcess(scriptRoute({ submit: () => PAID }));
    await untilState(id, 'awaiting_approval');
    assert.deepEqual(await transfersOf(id), []);
  });
});

describe('a submission', () => {
  it('freezes the rows: none can be corrected or dropped after it', async () => {
    const id = await store(rowsOf(2));
    await submit(id, { payAt: new Date(Date.now() + 60_000) });
    for (const change of [`phone = '+260966000000'`, 'amount_minor = 5', `state = 'dropped'`]) {
      const text = `update payout_file_rows set ${change} where file_id = $1 and number = 1`;
      await assert.rejects(test.database.query({ name: '', text }, [id]), /cannot change/, change);
    }
  });

  it('is refused when the content is not what was seen, and when rows have problems', async () => {
    const id = await store(rowsOf(2));
    await assert.rejects(submit(id, { contentHash: '0'.repeat(64) }), refusedAs('CONTENT_CHANGED'));
    await test.database.query(
      { name: '', text: 'update payout_files set rows_problem = 1 where id = $1' },
      [id],
    );
    await assert.rejects(submit(id), refusedAs('FILE_HAS_PROBLEMS'));
  });
});
