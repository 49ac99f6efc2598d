import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { cellsOf } from '../../test/test-database.ts';
import { createTestMerchant, type TestMerchant } from '../../test/test-merchant.ts';
import { createTwoCells, type TwoCells } from '../../test/two-cells.ts';
import { runAdmin } from './run-admin.ts';

let cells: TwoCells;
let merchant: TestMerchant;
before(async () => {
  cells = await createTwoCells();
  merchant = await createTestMerchant(cells.main.database);
});
after(() => cells.drop());

async function run(...argv: string[]) {
  let out = '';
  const { directory, main, second } = cells;
  const code = await runAdmin({
    argv: [...argv, '--json'],
    writeOut: (text) => {
      out += text;
    },
    writeError: () => undefined,
    openDatabase: () =>
      Promise.resolve({
        directory,
        cells: cellsOf({ main: main.database, second: second.database }),
        close: () => Promise.resolve(),
        abandon: () => Promise.resolve(),
      }),
    now: () => new Date(),
    newId: () => randomUUID(),
    randomBytes,
    env: {},
    machine: { kind: 'machine', user: 'tester', host: 'here' },
    warn: () => undefined,
    showProgress: () => undefined,
  });
  return { code, answer: JSON.parse(out) as Record<string, Record<string, unknown>> };
}

const move = (...options: string[]) =>
  run('merchants', 'move', merchant.name, '--reason', 'room', ...options);

it('moves a merchant, keeps the old rows until they are forgotten, and refuses what is not clear', async () => {
  assert.equal((await move('--to', 'nowhere')).answer.error?.code, 'CELL_NOT_FOUND');
  assert.equal((await move('--to', 'main')).answer.error?.code, 'MOVE_TO_SAME_CELL');
  assert.equal((await move('--undo')).answer.error?.code, 'MOVE_NOT_FOUND');
  assert.equal((await move('--undo', '--forget')).code, 1);
  const moved = await move('--to', 'second');
  assert.equal(moved.code, 0);
  assert.deepEqual(moved.answer.merchant, {
    id: merchant.id,
    name: merchant.name,
    cell: 'second',
    epoch: 2,
  });
  assert.equal((await move('--to', 'main')).answer.error?.code, 'MOVE_NOT_FORGOTTEN');
  const forgotten = await move('--forget');
  assert.deepEqual(forgotten.answer.forgottenBy, ['main']);
  assert.equal((await move('--to', 'main')).code, 0);
  const close = `update cells set closed_at = now() where name = 'second'`;
  await cells.directory.query({ name: '', text: close });
  assert.equal((await move('--to', 'second')).answer.error?.code, 'CELL_CLOSED');
});
