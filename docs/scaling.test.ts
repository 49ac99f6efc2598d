import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, before, it } from 'node:test';
import { openAdminDatabase } from '../service/src/admin/open-admin-database.ts';
import { runAdmin } from '../service/src/admin/run-admin.ts';
import { openSecondServer, type SecondServer } from '../service/test/second-server.ts';
import { newTestId } from '../service/test/stored-doubt.ts';
import { TEST_ACTOR } from '../service/test/test-actor.ts';
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
    const words = [...command.matchAll(/"(?<quoted>[^"]*)"|(?<plain>\S+)/g)];
    const argv = words.map(({ groups }) => groups?.quoted ?? groups?.plain ?? '');
    const { exitCode, out, error } = await run(env, argv);
    assert.equal(exitCode, 0, `line ${line}: ${error}`);
    const shown = blocks[index + 1]?.text ?? '';
    assert.ok(showsText(shown, out), `line ${line} wrote:\n${out}\nand not:\n${shown}`);
    commands += 1;
  }
  assert.equal(commands, 7);
});

/** Opens the cells that the directory lists, as the command does. */
async function run(env: Readonly<Record<string, string>>, argv: readonly string[]) {
  let [out, error] = ['', ''];
  const exitCode = await runAdmin({
    argv,
    writeOut: (text) => {
      out += text;
    },
    writeError: (text) => {
      error += text;
    },
    openDatabase: () => openAdminDatabase({ say: () => undefined }, env),
    now: () => new Date(),
    newId: newTestId,
    randomBytes,
    env,
    machine: TEST_ACTOR,
    warn: () => undefined,
    showProgress: () => undefined,
  });
  return { exitCode, out, error };
}
