import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { pollUntil } from '../poll.ts';
import { type RunningService, ServiceEnded, startService } from '../running-service.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';

let test: TestDatabase;
let service: RunningService | undefined;
before(async () => {
  test = await createTestDatabase();
});
afterEach(async () => {
  await service?.end('SIGKILL');
  service = undefined;
  await change(`reset synchronous_commit`);
});
after(() => test.drop());

const databaseName = () => new URL(test.connectionString).pathname.slice(1);

async function change(what: string): Promise<void> {
  await test.database.query({ name: '', text: `alter database ${databaseName()} ${what}` });
}

async function readiness(): Promise<number> {
  return (await fetch(`${service?.baseUrl}/health/ready`)).status;
}

async function refusedStart(): Promise<ServiceEnded> {
  try {
    service = await startService({ databaseUrl: test.connectionString });
  } catch (error) {
    assert.ok(error instanceof ServiceEnded, String(error));
    return error;
  }
  throw new Error('the service started');
}

describe('a database that could lose confirmed commits', () => {
  for (const value of ['off', 'local']) {
    it(`is refused with 78 if synchronous_commit is ${value}, with instructions to fix it`, async () => {
      await change(`set synchronous_commit = ${value}`);
      const { code, output } = await refusedStart();
      assert.equal(code, 78);
      assert.match(output, new RegExp(`synchronous_commit is ${value}`));
      const mend = `alter database ${databaseName()} reset synchronous_commit`;
      assert.ok(output.includes(mend), output);
      assert.match(output, /ALLOW_UNSAFE_DATABASE=1/);
    });
  }

  it('is used with ALLOW_UNSAFE_DATABASE=1, with a warning', async () => {
    await change('set synchronous_commit = off');
    service = await startService({
      databaseUrl: test.connectionString,
      env: { ALLOW_UNSAFE_DATABASE: '1', LOG_LEVEL: 'info' },
    });
    assert.equal(await readiness(), 200);
    assert.match(service.output(), /WARNING.*synchronous_commit is off/);
  });

  it('gets no new connection from a running service, which is not ready until it is fixed', async () => {
    service = await startService({ databaseUrl: test.connectionString });
    assert.equal(await readiness(), 200);
    await change('set synchronous_commit = off');
    await test.database.query({
      name: '',
      text: `
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name like 'kafue %reader%'`,
    });
    await pollUntil('the service to be not ready', async () => (await readiness()) === 503);
    assert.match(service.output(), /synchronous_commit is off/);
    await change('reset synchronous_commit');
    await pollUntil('the service to be ready again', async () => (await readiness()) === 200);
  });
});
