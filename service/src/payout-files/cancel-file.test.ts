import assert from 'node:assert/strict';
import { it } from 'node:test';
import { scriptRoute } from '../../test/fake-route.ts';
import { KEY, openFileWorld, PAID, rowsOf } from '../../test/file-world.ts';
import { pollUntil } from '../../test/poll.ts';
import { cancelFile } from './cancel-file.ts';

const world = openFileWorld();
const { deps, startProcess, store, submit, fileOf, transfersOf } = world;

it('a cancelled file has its queued transfers cancelled also while its merchant is suspended', async () => {
  const run = (text: string, values: readonly unknown[]) =>
    world.database.query({ name: '', text }, values);
  const id = await store(rowsOf(5));
  await submit(id);
  const closed = startProcess(scriptRoute({ slotsMax: 0 }));
  await pollUntil('all rows are taken', async () => (await fileOf(id)).rows_created === 5);
  await closed.stop();
  // A process died before it recorded the last row.
  await run(
    `update payout_file_rows set state = 'waiting', transfer_id = null where file_id = $1 and number = 5`,
    [id],
  );
  await run('update payout_files set rows_created = 4, lease_owner = null where id = $1', [id]);
  await run('update books set suspended_at = now() where id = $1', [world.book.id]);
  await cancelFile(deps(), { book: world.book, actor: KEY, id });
  const operator = scriptRoute({ submit: () => PAID });
  startProcess(operator);
  await pollUntil('every transfer is cancelled', async () =>
    (await transfersOf(id)).every(({ state }) => state === 'cancelled'),
  );
  // The last row is recorded when the suspension has ended.
  await run('update books set suspended_at = null where id = $1', [world.book.id]);
  await pollUntil('every row has ended', async () => {
    const { rows_created, rows_cancelled, next_action_at } = await fileOf(id);
    return rows_created === 5 && rows_cancelled === 5 && next_action_at === null;
  });
  assert.deepEqual(operator.calls, []);
});
