import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { openAdminDatabase } from '../../../service/src/admin/open-admin-database.ts';
import { runAdmin } from '../../../service/src/admin/run-admin.ts';
import { newTestId } from '../../../service/test/stored-doubt.ts';
import { TEST_ACTOR } from '../../../service/test/test-actor.ts';
import { readBlocks } from './read-blocks.ts';
import { showsText } from './shows-output.ts';

type Environment = Readonly<Record<string, string>>;

const LINE = /^npm run -s admin -- (?<command>.+)$/;

/** Runs the commands of the administration in a page, and compares what each writes with what the page shows. */
export async function followCommands(page: URL, env: Environment): Promise<number> {
  const blocks = readBlocks(await readFile(page, 'utf8'));
  let commands = 0;
  for (const [index, { language, text, line }] of blocks.entries()) {
    if (language !== 'sh') continue;
    const { command = '' } = LINE.exec(text.trim())?.groups ?? {};
    const { exitCode, out, error } = await typeCommand(env, command);
    assert.equal(exitCode, 0, `line ${line}: ${error}`);
    const shown = blocks[index + 1]?.text ?? '';
    assert.ok(showsText(shown, out), `line ${line} wrote:\n${out}\nand not:\n${shown}`);
    commands += 1;
  }
  return commands;
}

/**
 * Opens the cells that the directory lists, as the command does. In this process: one for each of the commands would
 * cost a second each.
 */
export async function typeCommand(env: Environment, command: string) {
  const words = [...command.matchAll(/"(?<quoted>[^"]*)"|(?<plain>\S+)/g)];
  let [out, error] = ['', ''];
  const exitCode = await runAdmin({
    argv: words.map(({ groups }) => groups?.quoted ?? groups?.plain ?? ''),
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
