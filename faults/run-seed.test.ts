import assert from 'node:assert/strict';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Client, DatabaseError } from 'pg';
import { volume } from '../scripts/test-volume.ts';
import { checkRun } from './checker/check-run.ts';
import { readDump } from './checker/dump.ts';
import { readJournals } from './checker/read-journals.ts';
import { readCells } from './checker/read-snapshot.ts';
import type { Snapshot } from './checker/snapshot.ts';
import type { Violation } from './checker/violation.ts';
import { CONTROL_DAMAGES } from './damages/control-damages.ts';
import {
  DATABASE_DAMAGES,
  type DatabaseDamage,
  damageDatabase,
} from './damages/database-damages.ts';
import { acceptedId, findKept, JOURNAL_DAMAGES } from './damages/journal-damages.ts';
import { DUMP_FOLDER } from './journal/exchange-record.ts';
import type { PlanSize } from './plan/plan-size.ts';
import type { ServerUrls } from './run-checker.ts';
import { runSeed, type SeedResult } from './run-seed.ts';

/** The short plans of the first two have four payouts each that stay in doubt; all together have most faults. */
const SEEDS: readonly number[] = volume({ usual: [844], full: [844, 411, 62, 2, 3, 4, 5] });
/** Run while there are damages that no run before could have, or excused: its faults decide what a run ends with. */
const SPARE_SEEDS: readonly number[] = volume({ usual: [411, 62], full: [] });
const AT_ONCE = 2;
/** The payer is not in the main cell. */
const CELLS = 2;
const SHORT: PlanSize = {
  clientsMin: 3,
  clientsMax: 3,
  ordersPerClient: 10,
  faultsMin: 2,
  faultsMax: 3,
  windowMs: 1_500,
  paydaysPerMille: 0,
  // It would make the tables many times larger, which are read anew for each damage.
  hasSecondServer: false,
  focus: { controlledPerMille: 1_000 },
};

type Control = Readonly<{ name: string; caughtBy: string }>;
type Caught = Map<string, string[][]>;

// The seeds run before the tests, and wait for a machine that other tests use.
describe('seeds of the real harness', { timeout: 900_000 }, () => {
  let runsFolder: string;
  const results = new Map<number, SeedResult>();
  /** For each damage, the invariants that were reported in each run that could be damaged so. */
  const caught: Caught = new Map();
  const controls: readonly Control[] = [
    ...DATABASE_DAMAGES,
    ...CONTROL_DAMAGES,
    ...JOURNAL_DAMAGES,
  ];
  const isCaught = ({ name, caughtBy }: Control): boolean =>
    (caught.get(name) ?? []).some((names) => names.includes(caughtBy));

  async function run(seed: number): Promise<void> {
    const result = await runSeed({
      cells: CELLS,
      seed,
      size: SHORT,
      runsFolder,
      keep: false,
      signal: new AbortController().signal,
      say: () => undefined,
      beforeRemoval: (urls, folder) => runControls(urls, folder, caught),
    });
    results.set(seed, result);
  }

  before(async () => {
    runsFolder = await mkdtemp(join(tmpdir(), 'kafue-runs-'));
    const waiting: number[] = [...SEEDS];
    const runOn = async (): Promise<void> => {
      for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) await run(seed);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, runOn));
    for (const seed of SPARE_SEEDS) {
      if (controls.every((control) => isCaught(control))) return;
      await run(seed);
    }
  });
  after(() => rm(runsFolder, { recursive: true, force: true }));

  for (const seed of [...SEEDS, ...SPARE_SEEDS]) {
    it(`injects the faults of seed ${seed}, and finds no violation`, (t) => {
      const result = results.get(seed);
      if (result === undefined && SPARE_SEEDS.includes(seed)) return t.skip('not needed');
      t.diagnostic(JSON.stringify({ ...result?.seen, elapsedMs: result?.elapsedMs }));
      assert.deepEqual(result?.violations, []);
      assert.ok(result.faultsDone > 0, 'no fault was injected');
      assert.equal(result.ownEnds, 0);
      assert.equal(result.folder, undefined);
    });
  }

  it('removes the run’s folder when nothing was violated', async () => {
    for (const seed of results.keys()) {
      await assert.rejects(access(join(runsFolder, String(seed))));
    }
  });

  for (const control of controls) {
    const { name, caughtBy } = control;
    it(`reports ${caughtBy} when ${name}`, () => {
      const runs = caught.get(name) ?? [];
      const found = runs.map((names) => names.join(', ') || 'nothing');
      assert.ok(isCaught(control), `found only ${found.join('; ')} in ${runs.length} damaged runs`);
    });
  }
});

/** Applies one damage at a time to the results of the run, and checks them. */
async function runControls(urls: ServerUrls, folder: string, caught: Caught): Promise<void> {
  const journals = await readJournals(folder);
  const snapshot = await readDump(join(folder, DUMP_FOLDER));
  const kept = findKept(journals, succeededIn(snapshot));
  for (const { name, damage } of JOURNAL_DAMAGES) {
    add(caught, name, checkRun(snapshot, damage(journals, kept)).violations);
  }
  const client = new Client({ connectionString: urls.first });
  await client.connect();
  try {
    for (const damage of [...DATABASE_DAMAGES, ...CONTROL_DAMAGES]) {
      if (await damageWhenFree(client, damage, acceptedId(kept))) {
        add(caught, damage.name, checkRun(await readCells(client), journals).violations);
      }
      await client.query('rollback');
    }
  } finally {
    await client.end();
  }
}

/** The service still runs, and may want the tables in another order. */
async function damageWhenFree(
  client: Client,
  damage: DatabaseDamage,
  transferId: string,
): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    await client.query('begin');
    try {
      return await damageDatabase(client, damage, transferId);
    } catch (error) {
      // The row that this run has for it cannot be damaged so; that of another run can.
      if (error instanceof DatabaseError && error.code === CHECK_VIOLATION) return false;
      const isLocked = error instanceof DatabaseError && LOCKED.includes(error.code ?? '');
      if (!isLocked || tries === TRIES_MAX) throw error;
      await client.query('rollback');
    }
  }
}

const CHECK_VIOLATION = '23514';
/** A deadlock, and a lock that was not got in time. */
const LOCKED: readonly string[] = ['40P01', '55P03'];
const TRIES_MAX = 100;

function add(caught: Caught, name: string, violations: readonly Violation[]): void {
  const runs = caught.get(name) ?? [];
  runs.push(violations.map(({ invariant }) => invariant));
  caught.set(name, runs);
}

function succeededIn({ transfers }: Snapshot): ReadonlySet<string> {
  return new Set(transfers.filter(({ state }) => state === 'succeeded').map(({ id }) => id));
}
