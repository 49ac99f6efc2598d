import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { scriptRoute } from '../../test/fake-route.ts';
import { KEY, openFileWorld, PAID, refusedAs, rowsOf } from '../../test/file-world.ts';
import { pollUntil } from '../../test/poll.ts';
import { storedReference, storeFile } from '../../test/stored-file.ts';
import { createTestWallet } from '../../test/test-book.ts';
import type { Outcome } from '../domain/outcome.ts';
import { initiateTransfer } from '../transfers/accept/initiate-transfer.ts';
import { FROM_KEY } from '../transfers/accept/prepared-transfer.ts';
import { openIncident } from '../transfers/move/open-incident.ts';
import { cancelFile } from './cancel-file.ts';
import { claimFiles } from './claim-files.ts';
import { recordRows } from './record-rows.ts';
import { retryFailedRows } from './retry-failed-rows.ts';

const REJECTED: Outcome = { kind: 'rejected', failure: 'RECIPIENT_NOT_FOUND', cause: 'no' };
const LOST: Outcome = { kind: 'unknown', cause: 'timeout' };

const world = openFileWorld();
const {
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
} = world;

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
      await world.database.query(expire, [id, 'paying']);
      await wait(5);
    }
    await submit(id);
    assert.equal((await transfersOf(id)).length, 600);
    const { rows_created, rows_succeeded } = await fileOf(id);
    assert.deepEqual([rows_created, rows_succeeded], [600, 600]);
    await assertEachOnce(id);
  });

  it('counts a row once that two processes record', async () => {
    const { initiate, leaseOwner, stop } = startProcess(scriptRoute({ submit: () => PAID }));
    await stop();
    const id = await store([{}, {}]);
    await submit(id);
    const due = await claimFiles(world.database, { leaseOwner, max: 100 });
    const claimed = due.find(({ file }) => file.id === id);
    assert.ok(claimed !== undefined);
    const origin = { ...FROM_KEY, source: 'file', fileId: id } as const;
    const reference = storedReference(id, 1);
    const command = commandOf(reference);
    const { transfer } = await initiateTransfer(initiate, {
      book: world.book,
      actor: 'test',
      origin,
      command,
    });
    const row = { number: 1, reference };
    const paid = { ...row, transferId: transfer.id, code: null, detail: null };
    const late = { ...row, transferId: null, code: 'INSUFFICIENT_BALANCE', detail: 'Late.' };
    for (const outcome of [paid, paid, late]) {
      const record = { file: claimed.file, outcomes: [outcome], at: new Date() };
      await recordRows(world.database, record);
    }
    const { rows_created, rows_refused } = await fileOf(id);
    assert.deepEqual([rows_created, rows_refused], [1, 0]);
    assert.equal((await rowsStored(id))[0]?.transfer_id, transfer.id);
    await cancelFile(deps(), { book: world.book, actor: KEY, id });
  });

  it('finds the transfers of a process that died before it recorded them', async () => {
    const { initiate, leaseOwner, stop } = startProcess(scriptRoute({ submit: () => PAID }));
    await stop();
    const id = await store([{}, {}, {}]);
    await submit(id);
    await claimFiles(world.database, { leaseOwner, max: 100 });
    const [row] = await world.database.query<{ phone: string }>(
      { name: '', text: 'select phone from payout_file_rows where file_id = $1 and number = 2' },
      [id],
    );
    const command = {
      ...commandOf(storedReference(id, 2)),
      phone: row?.phone ?? '',
      recipientName: 'Person 2',
    };
    const origin = { ...FROM_KEY, source: 'file', fileId: id } as const;
    const { transfer } = await initiateTransfer(initiate, {
      book: world.book,
      actor: 'test',
      origin,
      command,
    });
    // One that another order took is not the row's.
    await initiateTransfer(initiate, {
      book: world.book,
      actor: 'test',
      origin: FROM_KEY,
      command: commandOf(storedReference(id, 3)),
    });
    const endLease = 'update payout_files set next_action_at = now() where id = $1';
    await world.database.query({ name: '', text: endLease }, [id]);
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
    const poor = await createTestWallet(world.database, {
      bookId: world.book.id,
      fundedMinor: 1_000n,
    });
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
    const { id: again } = await retryFailedRows(deps(), { book: world.book, actor: KEY, id });
    await submit(again, { walletId: world.walletId });
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
    const { id: again } = await retryFailedRows(deps(), { book: world.book, actor: KEY, id });
    await assert.rejects(
      retryFailedRows(deps(), { book: world.book, actor: KEY, id }),
      refusedAs('INVALID_STATE'),
    );

    // A row that is dropped may go into another draft; restored, it still is paid by one of them.
    const setState = {
      name: '',
      text: 'update payout_file_rows set state = $2 where file_id = $1',
    };
    await world.database.query(setState, [again, 'dropped']);
    const { id: third } = await retryFailedRows(deps(), { book: world.book, actor: KEY, id });
    await world.database.query(setState, [again, 'ready']);
    await submit(again);
    await assert.rejects(submit(third), refusedAs('INVALID_STATE'));
    await untilState(again, 'done');
    const failed = (await transfersOf(id)).find(({ state }) => state === 'failed');
    const [replacement, ...others] = await transfersOf(again);
    assert.deepEqual([replacement?.replaces, others], [failed?.id, []]);
    assert.equal(replacement?.reference, `${storedReference(id, 2)}.retry-1`);
    const { id: twice } = await retryFailedRows(deps(), {
      book: world.book,
      actor: KEY,
      id: again,
    });
    await submit(twice);
    await untilState(twice, 'done');
    const references = (await transfersOf(twice)).map(({ reference }) => reference);
    assert.deepEqual(references, [`${storedReference(id, 2)}.retry-2`]);
  });

  it('pays nothing again that the operator may have paid, whenever it says so', async () => {
    const numbers = ['+260977999991', '+260977999992', '+260977999993'];
    const id = await store(numbers.map((phone) => ({ phone })));
    await submit(id);
    startProcess(scriptRoute({ submit: () => REJECTED, inquire: () => LOST }));
    await untilState(id, 'done');
    const [first, second, third] = await transfersOf(id);
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    const sayPaid = (transferId: string) =>
      openIncident(world.database, {
        id: randomUUID(),
        transfer: { bookId: world.book.id, id: transferId },
        kind: 'paid_after_failure',
        at: new Date(),
      });
    await sayPaid(first.id);
    const retry = () => retryFailedRows(deps(), { book: world.book, actor: KEY, id });
    const { id: again, rowsLeftOut } = await retry();
    assert.deepEqual([(await rowsStored(again)).length, rowsLeftOut], [2, 1]);
    await assert.rejects(retry(), refusedAs('EARLIER_MAY_BE_PAID'));
    // Said after the draft was made: the other row is paid, and this one is not.
    await sayPaid(second.id);
    await submit(again);
    await untilState(again, 'done');
    assert.deepEqual(
      (await rowsStored(again)).map(({ state, refusal_code }) => [state, refusal_code]),
      [
        ['refused', 'EARLIER_MAY_BE_PAID'],
        ['created', null],
      ],
    );
    assert.deepEqual(
      (await transfersOf(again)).map(({ replaces }) => replaces),
      [third.id],
    );
    // Once people have closed the incidents, both can be paid again.
    const close = `update incidents set closed_at = now(), closed_by = 'Support', note = 'It was not paid.'
      where book_id = $1`;
    await world.database.query({ name: '', text: close }, [world.book.id]);
    assert.equal((await retry()).rowsLeftOut, 0);
  });

  it('has the same references where its first upload is forgotten, and others where it is meant again', async () => {
    startProcess(scriptRoute({ submit: () => PAID }));
    const upload = async () =>
      storeFile(world.database, {
        bookId: world.book.id,
        walletId: world.walletId,
        rows: rowsOf(2),
        upload: 'salaries',
      });
    const pay = async (): Promise<readonly string[]> => {
      const id = await upload();
      await submit(id);
      await untilState(id, 'done');
      return (await transfersOf(id)).map(({ reference }) => reference);
    };
    // One that paid no row is no copy: its references were never used.
    const unpaid = await upload();
    await submit(unpaid, { payAt: new Date(Date.now() + 60_000) });
    await cancelFile(deps(), { book: world.book, actor: KEY, id: unpaid });
    const known = [await pay(), await pay()];
    assert.equal(new Set(known.flat()).size, 4);
    // A restored database knows as little of them as a new book.
    await world.openBook();
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
    await pollUntil('they are counted', async () => (await fileOf(id)).rows_succeeded === 2);
  });

  it('is looked at once a minute while a transfer stays in doubt', async () => {
    const id = await store(rowsOf(1));
    await submit(id);
    startProcess(scriptRoute({ submit: () => LOST, inquire: () => LOST }));
    await untilState(id, 'done');
    const age = {
      name: '',
      text: `update payout_files set ended_at = now() - interval '1 hour', next_action_at = now() where id = $1`,
    };
    await world.database.query(age, [id]);
    await pollUntil('it is looked at', async () => {
      const { next_action_at } = await fileOf(id);
      return next_action_at !== null && next_action_at.getTime() > Date.now() + 50_000;
    });
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
    await initiateTransfer(initiate, {
      book: world.book,
      actor: 'test',
      origin: FROM_KEY,
      command,
    });
    const tookMs = performance.now() - startedMs;
    assert.ok(tookMs < 3_000, `accepted after ${tookMs} ms`);
    await cancelFile(deps(), { book: world.book, actor: KEY, id });
  });
});
