import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { volume } from '../../../scripts/test-volume.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import type { Database } from '../../src/postgres/database.ts';
import { childEnvironment } from '../child-environment.ts';
import { startPayoutLoad } from '../payout-load.ts';
import { pollUntil } from '../poll.ts';
import { type RunningService, startService } from '../running-service.ts';
import { createTestMerchant, type TestMerchant } from '../test-merchant.ts';
import { createTwoCells, type TwoCells } from '../two-cells.ts';

const MOVES = volume({ usual: 7, full: 50 });
const CLIENTS = 8;
/** Each move is up to four processes, one after the other. */
const TIMEOUT_MS = MOVES * 40_000;
/** Before the switch a move may be continued or undone; after it, only continued. */
const BEFORE_SWITCH = ['move-began', 'move-closed', 'move-copied', 'move-verified'];
const AFTER_SWITCH = ['move-switched', 'move-opened', 'move-left'];
const KILLS = [...BEFORE_SWITCH, ...AFTER_SWITCH];
const PROGRAM = fileURLToPath(new URL('../move-program.ts', import.meta.url));

let cells: TwoCells;
let service: RunningService;
let merchant: TestMerchant;
before(async () => {
  cells = await createTwoCells();
  merchant = await createTestMerchant(cells.main.database);
  service = await startService({ databaseUrl: cells.test.connectionString });
});
after(async () => {
  await service.end('SIGKILL');
  await cells.drop();
});

/** Resolves with what it wrote; undefined: it was killed at the failpoint. */
async function run(verb: string, failpoint?: string): Promise<string | undefined> {
  const env = {
    ...childEnvironment(),
    ...(failpoint === undefined ? {} : { FAILPOINTS: `${failpoint}:kill:1;1` }),
  };
  const args = [PROGRAM, cells.test.connectionString, merchant.name, verb];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  if (failpoint !== undefined) assert.match(errors, new RegExp(`failpoint ${failpoint} SIGKILL`));
  else assert.equal(code, 0, errors);
  return code === null ? undefined : output;
}

const ask = <R extends Record<string, unknown>>(database: Database, text: string) =>
  database.query<R>({ name: '', text }, [merchant.books.test]);

const readStates = (database: Database) =>
  ask<{ id: string; reference: string; state: string; submitted: number }>(
    database,
    `select t.id, t.reference, t.state, (
       select count(*)::integer from events e
       where e.book_id = t.book_id and e.subject_id = t.id and e.to_state = 'submitting'
     ) as submitted
     from transfers t where t.book_id = $1`,
  );

describe(`${MOVES} moves of a merchant that pays, each killed at another step`, () => {
  it('lose no payout, pay none twice, and end in one cell with a right ledger', {
    timeout: TIMEOUT_MS,
  }, async (t) => {
    const load = startPayoutLoad(
      {
        baseUrl: () => service.baseUrl,
        key: merchant.keys.test,
        walletId: merchant.wallets.test.ZMW,
      },
      { clients: CLIENTS, prefix: 'move' },
    );
    t.after(() => load.stop());
    const acknowledged = () => load.asked.filter((one) => one.acknowledged !== undefined).length;
    const served = async () => {
      const before = acknowledged();
      await pollUntil(
        'every client to be served',
        () => acknowledged() >= before + CLIENTS,
        30_000,
      );
    };
    let here = 'main';
    let undone = 0;
    const pauses: number[] = [];
    for (let move = 0; move < MOVES; move += 1) {
      await served();
      const there = here === 'main' ? 'second' : 'main';
      const failpoint = KILLS[move % KILLS.length] ?? '';
      await run(there, failpoint);
      if (BEFORE_SWITCH.includes(failpoint) && move % 2 === 1) {
        await run('undo');
        undone += 1;
        continue;
      }
      const output = await run(there);
      pauses.push(Number(output));
      await served();
      await run('forget');
      here = there;
    }
    await served();
    await load.stop();
    const now = here === 'main' ? cells.main.database : cells.second.database;
    const other = here === 'main' ? cells.second.database : cells.main.database;
    await pollUntil(
      'every transfer to come to its end',
      async () => (await readStates(now)).every(({ state }) => state === 'succeeded'),
      90_000,
    );
    const rows = await readStates(now);
    assert.deepEqual(await readStates(other), [], 'a cell kept payouts of a merchant that left');
    const stored = new Map(rows.map(({ reference, id }) => [reference, id]));
    t.diagnostic(`${load.asked.length} asked, ${rows.length} stored, ${undone} undone`);
    t.diagnostic(`continued moves took ${pauses.join(', ')} ms`);
    assert.equal(stored.size, rows.length, 'a reference was stored twice');
    const lost = load.asked.filter(
      ({ reference, acknowledged: id }) => id !== undefined && stored.get(reference) !== id,
    );
    assert.deepEqual(lost, []);
    assert.deepEqual(
      rows.filter(({ submitted }) => submitted !== 1),
      [],
      'a transfer was submitted twice',
    );
    for (const database of [now, other]) {
      assert.deepEqual((await verifyLedger(database)).problems, []);
    }
    const odd = load.asked
      .flatMap(({ answers }) => answers)
      .filter((status) => ![201, 409, 503].includes(status));
    assert.deepEqual(odd, []);
  });
});
