import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { scriptRoute } from '../../test/fake-route.ts';
import { KEY, openFileWorld, PAID, refusedAs, rowsOf } from '../../test/file-world.ts';
import { pollUntil } from '../../test/poll.ts';
import { cancelFile } from './cancel-file.ts';

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
} = world;

describe('a payout file that is cancelled', () => {
  it('pays no row whose turn had not come, and none that it says is not paid', async () => {
    const id = await store(rowsOf(1_500));
    const operator = scriptRoute({ submit: async () => wait(5, PAID), slotsMax: 20 });
    startProcess(operator);
    startProcess(operator);
    await submit(id);
    await pollUntil('it is being paid', async () => (await fileOf(id)).rows_succeeded > 20, 20_000);
    await cancelFile(deps(), { book: world.book, actor: KEY, id });
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
    await cancelFile(deps(), { book: world.book, actor: KEY, id });
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
    await submit(id, { payAt: new Date(Date.now() + 3_000) });
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
    await world.database.query({
      name: '',
      text: 'update books set approval_expires_after_ms = 12 * 3600000',
    });
    startProcess(scriptRoute({ submit: () => PAID }));
    await untilState(id, 'awaiting_approval');
    assert.deepEqual(await transfersOf(id), []);
    const text = `select extract(epoch from approval_expires_at - now())::float8 / 3600 as hours
                  from payout_files where id = $1`;
    const [row] = await world.database.query<{ hours: number }>({ name: '', text }, [id]);
    assert.ok(row !== undefined && row.hours > 11.9 && row.hours <= 12, `${row?.hours} hours`);
  });
});

describe('a submission', () => {
  it('freezes the rows: none can be corrected or dropped after it', async () => {
    const id = await store(rowsOf(2));
    await submit(id, { payAt: new Date(Date.now() + 60_000) });
    for (const change of [`phone = '+260966000000'`, 'amount_minor = 5', `state = 'dropped'`]) {
      const text = `update payout_file_rows set ${change} where file_id = $1 and number = 1`;
      await assert.rejects(world.database.query({ name: '', text }, [id]), /cannot change/, change);
    }
  });

  it('is refused when the content is not what was seen, and when rows have problems', async () => {
    const id = await store(rowsOf(2));
    await assert.rejects(submit(id, { contentHash: '0'.repeat(64) }), refusedAs('CONTENT_CHANGED'));
    await world.database.query(
      { name: '', text: 'update payout_files set rows_problem = 1 where id = $1' },
      [id],
    );
    await assert.rejects(submit(id), refusedAs('FILE_HAS_PROBLEMS'));
  });
});
