import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { pollUntil } from '../../../service/test/poll.ts';
import { type Block, readBlocks } from './read-blocks.ts';
import type { ShellSession } from './shell-session.ts';
import { showsJson, showsText } from './shows-output.ts';

const ROOT = new URL('../../../', import.meta.url);
const OUTPUT_LANGUAGES: readonly string[] = ['json', 'text'];
const SHOWN_TIMEOUT_MS = 60_000;
const AGAIN_AFTER_MS = 200;

export type Guide = Readonly<{
  /** From the root of the project. */
  path: string;
  /** What the guide calls the ports that the test had to choose. */
  ports: Readonly<Record<string, string>>;
  /** What the test types instead of a command that would choose such ports by itself. */
  instead?: Readonly<Record<string, string>>;
}>;

/**
 * Does what the guide says, from top to bottom. Shell blocks are typed; a block of JSON or text is what
 * the shell block before it must write; TypeScript is the file that the note names. The notes:
 *
 *   terminal: NAME      runs on in a terminal of its own; what it must show is waited for
 *   shown on: NAME      what that terminal must show by now, or soon
 *   again until: WHY    typed again until it writes what is shown
 *   file: PATH          this very file
 *   not run: WHY        left out, for the reader to do
 */
export async function followGuide(session: ShellSession, guide: Guide): Promise<void> {
  const { path } = guide;
  const markdown = await readFile(new URL(path, ROOT), 'utf8');
  await session.reset();
  const blocks = readBlocks(markdown).map((block) => adapt(block, guide));
  for (const [index, block] of blocks.entries()) {
    const next = blocks[index + 1];
    const shown = next !== undefined && isAnswer(next) ? next : undefined;
    await followBlock(session, { block, shown, where: `${path}:${block.line}` });
    const isLost = isAnswer(block) && blocks[index - 1]?.language !== 'sh';
    assert.ok(!isLost, `${path}:${block.line} follows no shell block`);
  }
}

type Step = Readonly<{ block: Block; shown: Block | undefined; where: string }>;

async function followBlock(session: ShellSession, { block, shown, where }: Step): Promise<void> {
  const { language, note, text } = block;
  // A block without a language is a drawing.
  if (note?.name === 'not run' || language === '' || isAnswer(block)) return;
  if (note?.name === 'shown on') return waitForTerminal(session, note.value, { block, where });
  if (language === 'ts') {
    assert.equal(note?.name, 'file', `${where}: which file is this?`);
    assert.equal(text, await readFile(new URL(note?.value ?? '', ROOT), 'utf8'), where);
    return;
  }
  assert.equal(language, 'sh', `${where}: a block that no test can run`);
  if (note?.name === 'terminal') {
    await session.runOn(note.value, text);
    if (shown !== undefined) await waitForTerminal(session, note.value, { block: shown, where });
    return;
  }
  const deadline = performance.now() + SHOWN_TIMEOUT_MS;
  for (;;) {
    const { code, out, error } = await session.run(text);
    assert.equal(code, 0, `${where} ended with ${code}:\n${out}${error}`);
    if (shown === undefined || shows(shown, out)) return;
    const mayChange = note?.name === 'again until' && performance.now() < deadline;
    assert.ok(mayChange, `${where} wrote:\n${out}\nand not:\n${shown.text}`);
    await pause(AGAIN_AFTER_MS);
  }
}

async function waitForTerminal(
  session: ShellSession,
  name: string,
  { block, where }: Omit<Step, 'shown'>,
): Promise<void> {
  const isShown = () => showsText(`…${block.text.trim()}…`, session.shownOn(name));
  const what = `${where}: the terminal ${name} shows\n${block.text}`;
  await pollUntil(what, isShown, SHOWN_TIMEOUT_MS).catch((cause: unknown) => {
    throw new Error(`${what}and not\n${session.shownOn(name)}`, { cause });
  });
}

function shows({ language, text }: Block, came: string): boolean {
  return language === 'json' ? showsJson(text, came) : showsText(text, came);
}

/** What the shell block before it must write. */
function isAnswer({ language, note }: Block): boolean {
  return OUTPUT_LANGUAGES.includes(language) && note?.name !== 'shown on';
}

function adapt(block: Block, { ports, instead = {} }: Guide): Block {
  const typed = block.language === 'sh' ? replaceEach(block.text, instead) : block.text;
  const addresses = Object.entries(ports).map(
    ([port, chosen]) => [`127.0.0.1:${port}`, `127.0.0.1:${chosen}`] as const,
  );
  return { ...block, text: replaceEach(typed, Object.fromEntries(addresses)) };
}

function replaceEach(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce(
    (sofar, [from, to]) => sofar.replaceAll(from, to),
    text,
  );
}
