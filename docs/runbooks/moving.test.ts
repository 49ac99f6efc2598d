import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../service/test/test-database.ts';
import { followCommands, typeCommand } from '../guides/checking/follow-commands.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

it('shows what a reader of it sees, command by command', async () => {
  const env = { DATABASE_URL: test.connectionString };
  for (const command of ['cells add east', 'merchants create "Zambezi Tours" --cell main']) {
    const { exitCode, error } = await typeCommand(env, command);
    assert.equal(exitCode, 0, error);
  }
  assert.equal(await followCommands(new URL('moving.md', import.meta.url), env), 2);
});
