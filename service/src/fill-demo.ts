import { randomBytes, randomFillSync } from 'node:crypto';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandRefused } from './admin/command-refused.ts';
import {
  type AdminDatabase,
  BadEnvironment,
  openAdminDatabase,
} from './admin/open-admin-database.ts';
import { EXIT_BAD_CONFIG } from './config/config.ts';
import { fillHistory, type HistoryResult } from './demo-history/fill-history.ts';
import { createUuidV7Source } from './domain/uuid.ts';
import { MAIN_CELL } from './schema/service-schema.ts';
import { agreeOnSealingKeys } from './webhooks/agree-on-keys.ts';
import { BadSealingKeys, findSealingKeys } from './webhooks/read-sealing-keys.ts';
import { createSealer, type SealingKey } from './webhooks/seal-secret.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 64;
/** What a shell says of a program that a signal ended. */
const EXIT_SIGNALLED = 128;
const PAYOUTS = { usual: 1_500, min: 100, max: 5_000 } as const;
const PROGRESS_EVERY = 25;
const START_FIRST =
  'Start the service once with "npm start": it makes the demo merchant. Then run this again.';
const USAGE = `Usage: npm run demo [-- --payouts <number>]

Fill the test book of the demo merchant with three weeks of payouts. The service may run or not.

  --payouts <number>  about how many payouts, ${PAYOUTS.min} to ${PAYOUTS.max} (${PAYOUTS.usual})
`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  const payouts = readArguments(process.argv.slice(2));
  refuseForeignDatabase();
  const keys = await readKeys();
  say('Filling the test book of the demo merchant with three weeks of payouts…');
  const startedMs = performance.now();
  const opened = await openAdminDatabase({ say: complain }, process.env);
  endOnSignal(opened);
  try {
    const filled = await fill(opened, { keys, payouts });
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
    report(filled, performance.now() - startedMs);
  } finally {
    await opened.close();
  }
}

class UsageProblem extends Error {}

function readArguments(args: string[]): number {
  const { values } = parse(args);
  if (values.help === true) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  const payouts = Number(values.payouts ?? PAYOUTS.usual);
  if (Number.isInteger(payouts) && payouts >= PAYOUTS.min && payouts <= PAYOUTS.max) return payouts;
  throw new UsageProblem(`--payouts must be a whole number, ${PAYOUTS.min} to ${PAYOUTS.max}.`);
}

function parse(args: string[]) {
  const options = { payouts: { type: 'string' }, help: { type: 'boolean' } } as const;
  try {
    return parseArgs({ args, options });
  } catch (error) {
    throw new UsageProblem(error instanceof Error ? error.message : String(error));
  }
}

/** Only the embedded database has a demo merchant; any other may hold what is real. */
function refuseForeignDatabase(): void {
  for (const name of ['DATABASE_URL', 'MIGRATION_DATABASE_URL']) {
    if ((process.env[name] ?? '') === '') continue;
    throw new BadEnvironment(
      `${name} is set, and the demo is for the embedded database alone. Nothing was stored.`,
      `Unset ${name}, and run this again with the DATA_DIR of the service.`,
    );
  }
}

/** Looked for before the database is opened, which would otherwise be made where there is none. */
async function readKeys(): Promise<readonly SealingKey[]> {
  const dataDir = resolve(process.env.DATA_DIR || 'data');
  const keys = await findSealingKeys({ dataDir, env: process.env });
  if (keys !== undefined) return keys;
  throw new CommandRefused(`There is no service in ${dataDir} yet.`, START_FIRST);
}

async function fill(
  { cells }: AdminDatabase,
  { keys, payouts }: Readonly<{ keys: readonly SealingKey[]; payouts: number }>,
): Promise<HistoryResult> {
  const now = (): Date => new Date();
  const { database } = cells.named(MAIN_CELL.name);
  await agreeOnSealingKeys({ database, env: process.env, now }, { keys, lost: [] });
  const deps = {
    database,
    sealer: createSealer(keys),
    now,
    newId: createUuidV7Source(Date.now, (bytes) => randomFillSync(bytes)),
    randomBytes,
    randomFill: (bytes: Uint8Array) => void randomFillSync(bytes),
    onProgress: showProgress,
  };
  return fillHistory(deps, { payouts });
}

function showProgress(done: number, total: number): void {
  if (!process.stderr.isTTY || done % PROGRESS_EVERY !== 0) return;
  process.stderr.write(`\r\u001b[K${Math.floor((100 * done) / total)} %`);
}

function report(filled: HistoryResult, elapsedMs: number): void {
  switch (filled.kind) {
    case 'no demo merchant':
      throw new CommandRefused('There is no demo merchant in this database.', START_FIRST);
    case 'filled before':
      say('The demo is there already. Nothing was stored.');
      return;
    case 'filled': {
      const { byState, recipients, deliveries } = filled;
      const payouts = byState.reduce((sum, { count }) => sum + count, 0);
      const states = byState.map(({ state, count }) => `${count} ${state.replaceAll('_', ' ')}`);
      const seconds = (elapsedMs / 1_000).toFixed(1);
      say(`Stored ${payouts} payouts (${states.join(', ')}),`);
      say(
        `${recipients} recipients, 3 wallets, 3 keys, and 2 webhooks with ${deliveries} deliveries`,
      );
      say(
        `in ${seconds} s. The live book stays as it was. See them in the console, in the test book.`,
      );
      if (filled.hasPeople) {
        say('There are also rules, lists, a schedule, and a payout file with two rows to correct.');
        sayWaiting(filled.waiting);
      } else {
        say('Without demo people there are no decisions about doubts. The next start makes them.');
      }
      return;
    }
    default: {
      const unhandled: never = filled;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}

function sayWaiting(count: number): void {
  if (count === 0) return;
  say(`${count} things wait for approval. As owner@demo.test you can approve all but your own.`);
}

/** Nothing was stored: what is under way is rolled back. */
function endOnSignal(opened: AdminDatabase): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      const end = (): never => process.exit(EXIT_SIGNALLED + constants.signals[signal]);
      opened.abandon().then(end, end);
    });
  }
}

function describeEnd(error: unknown): Readonly<{ lines: readonly string[]; exitCode: number }> {
  if (error instanceof UsageProblem) return { lines: [error.message, USAGE], exitCode: EXIT_USAGE };
  if (error instanceof BadEnvironment) {
    return { lines: [error.message, error.advice], exitCode: EXIT_BAD_CONFIG };
  }
  if (error instanceof BadSealingKeys) {
    return { lines: [error.message], exitCode: EXIT_BAD_CONFIG };
  }
  if (error instanceof CommandRefused) {
    return { lines: [error.message, error.advice], exitCode: EXIT_FAILED };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { lines: [message, 'This was not expected. Nothing was stored.'], exitCode: EXIT_FAILED };
}

try {
  await main();
} catch (error) {
  const { lines, exitCode } = describeEnd(error);
  for (const line of lines) complain(line);
  process.exitCode = exitCode;
}
