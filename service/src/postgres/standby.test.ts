import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openStandbyServer, type StandbyServer } from '../../test/standby-server.ts';
import { type Database, OutcomeUnknown, openDatabase } from './database.ts';

let server: StandbyServer;
let database: Database;

before(async () => {
  server = await openStandbyServer();
  await server.query('create table kept (n integer)');
  // A role's setting must not hide the warning either.
  await server.query('alter role kafue set client_min_messages = error');
  await server.demandStandby();
  database = openDatabase({
    connectionString: server.connectionString,
    applicationName: 'kafue-test',
    connectionsMax: 1,
    onError: () => undefined,
  });
});
after(async () => {
  await database.close();
  await server.close();
});

const INSERT = { name: '', text: 'insert into kept values (1)' };

const ENDS = ['pg_cancel_backend', 'pg_terminate_backend'];

describe('a commit whose wait for the standby is cancelled', () => {
  for (const end of ENDS) {
    it(`is unknown when it is a single statement: ${end}`, async () => {
      const written = assert.rejects(database.query(INSERT), OutcomeUnknown);
      await server.query(`select ${end}(${await server.untilCommitWaits()})`);
      await written;
    });

    it(`is unknown when it ends a transaction: ${end}`, async () => {
      const work = database.transaction((tx) => tx.query(INSERT));
      const written = assert.rejects(work, OutcomeUnknown);
      await server.query(`select ${end}(${await server.untilCommitWaits()})`);
      await written;
    });
  }

  it('does not disturb later statements', async () => {
    const [row] = await database.query<{ n: number }>({ name: '', text: 'select 1 as n' });
    assert.equal(row?.n, 1);
  });
});
