import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { Client } from 'pg';
import { findExpositionProblems } from '../exposition-problems.ts';
import { pollUntil } from '../poll.ts';
import { fieldsOf, listOf } from './api-client.ts';
import { newReference, openContract, poll, RECIPIENTS, TRANSFERS } from './open-contract.ts';

const contract = await openContract();
after(() => contract.close());
const { api, apiWith, merchant, order, service } = contract;
const keyless = apiWith();

it('answers liveness and readiness without a key', async () => {
  for (const path of ['/health/live', '/health/ready']) {
    assert.equal((await keyless.get(path)).status, 200, path);
  }
});

it('shows its metrics in the text format of Prometheus', async () => {
  await contract.initiate();
  const { status, headers, text } = await keyless.get('/metrics');
  assert.equal(status, 200);
  assert.match(headers['content-type'] ?? '', /^(text\/plain|application\/openmetrics-text)\b/);
  const sample = /^[a-zA-Z_:][\w:]*(\{[^}]*\})? (-?[\d.]+(e[+-]?\d+)?|[+-]Inf|NaN)$/i;
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  assert.ok(lines.length > 10);
  for (const line of lines) assert.match(line, sample);
  assert.match(text, /# TYPE \S+ histogram/);
  assert.deepEqual(findExpositionProblems(text), []);
});

it('describes every operation in OpenAPI 3.1', async () => {
  const { status, headers, text } = await keyless.get('/openapi.json');
  assert.equal(status, 200);
  assert.match(
    headers['content-type'] ?? '',
    /^application\/(json|openapi\+json|vnd\.oai\.openapi)/,
  );
  const document = fieldsOf(JSON.parse(text));
  assert.match(String(document.openapi), /^3\.1\./);
  const paths = fieldsOf(document.paths);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(fieldsOf(methods)).map(
      (method) => `${method} ${path.replace('/api/v1/payments/', '').replaceAll(/\{\w+\}/g, '{}')}`,
    ),
  );
  const promised = [
    'post transfers/mobile-money',
    'post transfer-recipients/mobile-money',
    'get transfers/{}',
    'get transfers/status/{}',
    'get transfers',
    'get transfers/{}/history',
    'post transfers/{}/cancel',
    'get transfer-recipients',
    'get transfer-recipients/{}',
    'post resolve/mobile-money',
    'get wallets',
    'get wallets/{}',
    'get wallets/{}/postings',
    'get operators',
  ];
  assert.deepEqual(
    promised.filter((operation) => !operations.includes(operation)),
    [],
  );
});

it('serves a documentation page that loads nothing from other hosts', async () => {
  const { status, headers, text } = await keyless.get('/docs');
  assert.equal(status, 200);
  assert.match(headers['content-type'] ?? '', /^text\/html\b/);
  assert.match(text, /<html/i);
  assert.match(text, /transfers\/mobile-money/);
  assert.doesNotMatch(text, /(src|<link[^>]+href)\s*=\s*["']?(https?:)?\/\//i);
  assert.doesNotMatch(text, /@import|url\(\s*["']?(https?:)?\/\//i);
});

const canaries = {
  phone: '977181',
  name: 'Canaryname',
  narration: 'canary-narration',
  account: 'Canaryaccount',
};

it('never writes a phone, a name, a narration or a key to its log', async () => {
  const key = await merchant.issueKey({});
  const client = apiWith(key.text);
  const phone = `0${canaries.phone}571`;
  const personal = { phone, recipientName: canaries.name, narration: canaries.narration };
  const reference = newReference();
  const body = order({ ...personal, reference });
  const initiated = await client.post(TRANSFERS, body);
  assert.equal(initiated.status, 201, initiated.text);
  await client.post(TRANSFERS, body);
  await client.post(TRANSFERS, { ...body, amount: 0 });
  await client.post(TRANSFERS, `{"narration":"${canaries.narration}","phone":"${phone}"`);
  for (const ending of ['901', '903', '913', '941', '951']) {
    const changes = { ...personal, phone: `0${canaries.phone}${ending}` };
    await client.post(TRANSFERS, order(changes));
    const account = { phone: changes.phone, operator: 'mtn', country: 'zm' };
    await client.post(RECIPIENTS, { ...account, accountName: canaries.account });
    await client.post('resolve/mobile-money', account);
  }
  await client.get(`wallets?key=${key.text}`);
  await client.get(`transfers?reference=${canaries.phone}&narration=${canaries.narration}`);
  await client.get(`nothing/${phone}/${key.text}`);
  await keyless.get('wallets', { authorization: `Bearer ${key.text}` });
  await apiWith(`${key.text}x`).get('wallets');
  await apiWith(key.text.slice(0, -1)).get(`transfers/status/${canaries.name}`);
  await contract.transferOnce(String(initiated.data.id), ({ status }) => status !== 'pending');
  // A request with a key, because log lines of requests without one are sampled.
  const refused = await client.get('transfers/00000000-0000-4000-8000-000000000000');
  await pollUntil('the refused request in the log', () =>
    service.output().includes(String(refused.headers['x-request-id'])),
  );
  const log = service.output();
  const secret = key.text.slice('sk_test_'.length, -6);
  for (const canary of [...Object.values(canaries), secret, merchant.keys.test]) {
    const line = log.split('\n').find((one) => one.includes(canary));
    assert.equal(line, undefined, canary);
  }
});

it('keeps them out of its metrics too', async () => {
  const { text } = await keyless.get('/metrics');
  for (const canary of Object.values(canaries)) assert.ok(!text.includes(canary), canary);
});

async function withAdmin(work: (admin: Client, name: string) => Promise<void>): Promise<void> {
  const rows = await contract.database.query<{ name: string }>(
    { name: '', text: 'select current_database() as name' },
    [],
  );
  const admin = new Client({ connectionString: process.env.KAFUE_TEST_POSTGRES });
  await admin.connect();
  try {
    await work(admin, rows[0]?.name ?? '');
  } finally {
    await admin.end();
  }
}

it('is not ready while the database cannot write, and logs that once a second', async () => {
  const run = (text: string) => contract.database.query({ name: '', text }, []);
  await run(`create function disk_full() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  // All cells are on this server's disk.
  const tables = await contract.database.query<{ name: string }>(
    {
      name: '',
      text: `select oid::regclass::text as name from pg_class
             where relkind = 'r' and relname in ('transfers', 'write_probes')`,
    },
    [],
  );
  for (const { name } of tables) {
    await run(`create trigger disk_full before insert on ${name}
      for each row execute function disk_full()`);
  }
  const linesBefore = service.output().split('\n').length;
  const startedMs = performance.now();
  try {
    const ready = await poll(
      () => keyless.get('/health/ready'),
      ({ status }) => status !== 200,
    );
    assert.equal(ready.status, 503);
    assert.deepEqual(JSON.parse(ready.text).reasons, ['database writes']);
    assert.equal((await keyless.get('/health/live')).status, 200);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => api.post(TRANSFERS, order())),
    );
    for (const { status, text } of answers) assert.equal(status, 503, text);
  } finally {
    await run('drop function disk_full() cascade');
  }
  const seconds = Math.ceil((performance.now() - startedMs) / 1_000);
  const lines = service.output().split('\n').slice(linesBefore);
  const failures = lines.filter((line) => line.includes('"request failed"'));
  assert.ok(failures.some((line) => line.includes('53100')));
  // The request, readiness itself, and a line that counts what was left out.
  assert.ok(failures.length <= 3 * seconds, `${failures.length} lines in ${seconds} s`);
  await poll(
    () => keyless.get('/health/ready'),
    ({ status }) => status === 200,
  );
});

it('answers 503 in the envelope while the database is away, and goes on by itself', async () => {
  const body = order();
  await withAdmin(async (admin, name) => {
    await admin.query(`alter database ${name} allow_connections false`);
    try {
      await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
        [name],
      );
      const ready = await poll(
        () => keyless.get('/health/ready'),
        ({ status }) => status !== 200,
      );
      assert.equal(ready.status, 503);
      assert.equal((await keyless.get('/health/live')).status, 200);
      const answers = [await api.post(TRANSFERS, body), await api.get('transfers')];
      for (const { status, text } of answers) assert.equal(status, 503, text);
    } finally {
      await admin.query(`alter database ${name} allow_connections true`);
    }
  });
  await poll(
    () => keyless.get('/health/ready'),
    ({ status }) => status === 200,
  );
  const found = await poll(
    () => api.get(`transfers?reference=${String(body.reference)}`),
    ({ status }) => status === 200,
  );
  // The 503 left the result open; by its reference the same request is now paid once.
  assert.equal(listOf(found.data.items).length, 0);
  assert.equal((await api.post(TRANSFERS, body)).status, 201);
});
