import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, it } from 'node:test';
import { runCommand } from '../service/test/admin-command.ts';
import { openSecondServer, type SecondServer } from '../service/test/second-server.ts';
import { createTestDatabase, type TestDatabase } from '../service/test/test-database.ts';
import { readBlocks } from './guides/checking/read-blocks.ts';
import { showsText } from './guides/checking/shows-output.ts';

const LINE = /^npm run -s admin -- (?<command>.+)$/;

let test: TestDatabase;
let second: SecondServer;
before(async () => {
  [test, second] = await Promise.all([createTestDatabase(), openSecondServer()]);
});
after(() => Promise.all([test.drop(), second.close()]));

// In this process: a process for each of the commands would cost a second each.
it('shows what a reader of it sees, command by command', async () => {
  const env = {
    DATABASE_URL: test.connectionString,
    NORTH_DATABASE_URL: second.serviceUrl,
    MIGRATION_NORTH_DATABASE_URL: second.connectionString,
  };
  const blocks = readBlocks(await readFile(new URL('scaling.md', import.meta.url), 'utf8'));
  let commands = 0;
  for (const [index, { language, text, line }] of blocks.entries()) {
    if (language !== 'sh') continue;
    const { command = '' } = LINE.exec(text.trim())?.groups ?? {};
    const { exitCode, out, error } = await runCommand(test, env, command.split(' '));
    assert.equal(exitCode, 0, `line ${line}: ${error}`);
    const shown = blocks[index + 1]?.text ?? '';
    assert.ok(showsText(shown, out), `line ${line} wrote:\n${out}\nand not:\n${shown}`);
    commands += 1;
  }
  assert.equal(commands, 6);
});
