import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { openSecondServer, type SecondServer } from '../service/test/second-server.ts';
import { createDatabaseOfOneCell, type TestDatabase } from '../service/test/test-database.ts';
import { followCommands } from './guides/checking/follow-commands.ts';

let test: TestDatabase;
let second: SecondServer;
before(async () => {
  [test, second] = await Promise.all([createDatabaseOfOneCell(), openSecondServer()]);
});
after(() => Promise.all([test.drop(), second.close()]));

it('shows what a reader of it sees, command by command', async () => {
  const env = {
    DATABASE_URL: test.connectionString,
    NORTH_DATABASE_URL: second.serviceUrl,
    MIGRATION_NORTH_DATABASE_URL: second.connectionString,
  };
  assert.equal(await followCommands(new URL('scaling.md', import.meta.url), env), 7);
});
