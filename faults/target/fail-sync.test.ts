import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, it } from 'node:test';
import { Client } from 'pg';
import { findPostmaster } from './data-folder.ts';
import { failNextSync } from './fail-sync.ts';
import { queryOnce } from './query-once.ts';
import { openTargetDatabase, type TargetDatabase } from './target-database.ts';
import { pollUntil } from './wait-for-quiet.ts';

const HEAL_TIMEOUT_MS = 30_000;
const WITHIN_MS = 5_000;
const isPossible = spawnSync('strace', ['-V']).error === undefined;
let database: TargetDatabase;

before(async () => {
  database = await openTargetDatabase({
    database: 'shared',
    services: 1,
    smallDisk: false,
    operators: [],
    secondAccount: null,
    referenceMemoryHours: 12,
    signedCallbacksAreFinal: false,
    receiver: { http500: 0, slow: 0, hang: 0, reset: 0 },
    failpoints: null,
  });
});
after(() => database.close());

async function connect(): Promise<Client> {
  const postmaster = await findPostmaster(database.dataDir);
  const client = new Client({ connectionString: postmaster?.databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

it('leaves a commit without an answer, and the server recovers', async () => {
  const client = await connect();
  await client.query('create table written (n integer)');
  const failed = failNextSync(database.dataDir, WITHIN_MS);
  let answered = 0;
  const writing = (async () => {
    for (; answered < 10_000; answered += 1) await client.query('insert into written values (1)');
  })();
  if (!isPossible) {
    assert.equal(await failed, 'skipped');
    await Promise.all([client.end(), writing.catch(() => undefined)]);
    return;
  }
  await assert.rejects(writing);
  assert.equal(await failed, 'done');
  let stored = 0;
  await pollUntil(new AbortController().signal, HEAL_TIMEOUT_MS, async () => {
    const postmaster = await findPostmaster(database.dataDir);
    const rows = await queryOnce<{ n: number }>(
      postmaster?.databaseUrl ?? '',
      'select count(*)::int as n from written',
    );
    stored = rows[0]?.n ?? 0;
    return true;
  });
  assert.ok(stored === answered || stored === answered + 1, `${stored} of ${answered}`);
});
