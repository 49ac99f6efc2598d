import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { type Database, openDatabase } from '../postgres/database.ts';
import { probeWrite } from './probe-write.ts';

let test: TestDatabase;
/** As the role of the service, which owns no table. */
let service: Database;
before(async () => {
  test = await createTestDatabase();
  service = open();
});
after(async () => {
  await service.close();
  await test.drop();
});

function open(parameters = ''): Database {
  return openDatabase({
    connectionString: test.serviceUrl + parameters,
    applicationName: 'kafue-test',
    connectionsMax: 1,
    onError: () => undefined,
  });
}

const run = <R extends Record<string, unknown>>(text: string) =>
  test.database.query<R>({ name: '', text });
const readSize = async () => {
  const [row] = await run<{ pages: bigint; rows: bigint }>(
    `select pg_relation_size('write_probes') / 8192 as pages,
            (select count(*) from write_probes) as rows`,
  );
  return row;
};

describe('a probe of whether the database can write', () => {
  it('asks for a page each time, and leaves no row', async () => {
    await probeWrite(service);
    await probeWrite(service);
    const before = await readSize();
    await probeWrite(service);
    const after = await readSize();
    assert.equal(after?.rows, 0n);
    assert.equal(after?.pages, (before?.pages ?? 0n) + 1n);
  });

  it('fails where only reading works', async () => {
    const reader = open('?options=-c%20default_transaction_read_only%3Don');
    try {
      assert.equal(await reader.isReady(), true);
      await assert.rejects(probeWrite(reader), { code: '25006' });
    } finally {
      await reader.close();
    }
  });
});
