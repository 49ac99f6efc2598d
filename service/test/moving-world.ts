import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BookEntry } from '../../emulators/kernel/behaviour.ts';
import { startOperator } from '../../emulators/start-operators.ts';
import { programFile } from '../../scripts/program-file.ts';
import { findFreePort } from '../src/postgres/embedded/free-port.ts';
import { childEnvironment } from './child-environment.ts';
import { type RunningService, startService } from './running-service.ts';
import { createTestMerchant, type TestMerchant } from './test-merchant.ts';
import { createThreeCells, type ThreeCells } from './three-cells.ts';

/** Of the operator's delays and of our schedule of inquiries. */
const TIME_SCALE = 0.02;
const CALLS_PER_SECOND = 500;
/** A submission that hangs is waited for by a move; MTN can be asked about it afterwards. */
const TIMEOUTS = { submitMs: 2_000 };

/**
 * What MTN does with payouts. All of it ends without a person. Slow and pending ones are under way when a merchant is
 * closed, and callbacks come while it is.
 */
const MIX = {
  ok: 50,
  slow: 15,
  reject: 5,
  'pending-then-ok': 8,
  'pending-then-failed': 4,
  'pay-then-reset': 3,
  'pay-then-500': 3,
  'pay-no-answer': 1,
  'execute-late': 3,
  'callback-none': 2,
  'callback-twice': 3,
  'callback-late': 3,
};

/** `kill`: the point at which the process dies, with the probability of each visit. */
type Kill = Readonly<{ failpoint: string; probability: number; seed: number }>;

/** A merchant in three cells on two servers, the service as a process, and MTN with a book of its own. */
export type MovingWorld = Readonly<{
  cells: ThreeCells;
  merchant: TestMerchant;
  service(): RunningService;
  /** Kills the service with SIGKILL and starts it again at the same port. */
  crashService(): Promise<void>;
  /** Moves to a cell, or `undo`, or `forget`, in a process. Says whether it was killed; if not, it has succeeded. */
  run(verb: string, kill?: Kill): Promise<boolean>;
  /** What the operator paid, by its own book, after all that it still has to pay. */
  readBook(): Promise<readonly BookEntry[]>;
  /** References that came to the operator as something else. */
  readViolations(): Promise<readonly unknown[]>;
  close(): Promise<void>;
}>;

export async function openMovingWorld(): Promise<MovingWorld> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'kafue-moving-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const cells = await createThreeCells();
  opened.defer(() => cells.drop());
  const port = await findFreePort();
  const callbackBaseUrl = `http://localhost:${port}`;
  const mtn = await startOperator('mtn', {
    port: await findFreePort(),
    folder,
    timeScale: TIME_SCALE,
    callbackBaseUrl,
    callsPerSecond: CALLS_PER_SECOND,
  });
  opened.defer(() => mtn.close());
  const routesFile = join(folder, 'routes.json');
  const routes = mtn.routes.map((route) => ({ ...route, timeouts: TIMEOUTS }));
  await writeFile(routesFile, JSON.stringify({ callbackBaseUrl, routes }));
  const control = async (call: string, body?: unknown): Promise<unknown> => {
    const [method = 'GET', path = ''] = call.split(' ');
    const answer = await fetch(`${mtn.url}/_emulator/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`MTN refused ${call}: ${await answer.text()}`);
    return answer.status === 204 ? undefined : answer.json();
  };
  await control('PUT seed', { seed: 7, mix: MIX });
  const merchant = await createTestMerchant(cells.main.database);
  const serve = () =>
    startService({
      databaseUrl: cells.test.serviceUrl,
      env: { ...cells.env, ROUTES_FILE: routesFile, PORT: String(port) },
    });
  let service = await serve();
  opened.defer(async () => void (await service.end('SIGKILL')));
  const toClose = opened.move();
  return {
    cells,
    merchant,
    service: () => service,
    async crashService() {
      await service.end('SIGKILL');
      service = await serve();
    },
    run: (verb, kill) => runProgram(cells, { merchant: merchant.name, verb, kill }),
    async readBook() {
      await control('POST flush');
      return ((await control('GET book')) as { entries: BookEntry[] }).entries;
    },
    async readViolations() {
      return ((await control('GET violations')) as { violations: unknown[] }).violations;
    },
    close: () => toClose.disposeAsync(),
  };
}

async function runProgram(
  { places }: ThreeCells,
  { merchant, verb, kill }: Readonly<{ merchant: string; verb: string; kill: Kill | undefined }>,
): Promise<boolean> {
  const env = {
    ...childEnvironment(),
    ...(kill === undefined
      ? {}
      : { FAILPOINTS: `${kill.failpoint}:kill:${kill.probability};${kill.seed}` }),
  };
  const args = [programFile('mover'), JSON.stringify(places), merchant, verb];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === null) assert.match(errors, new RegExp(`failpoint ${kill?.failpoint} SIGKILL`));
  else assert.equal(code, 0, `${verb}: ${errors}`);
  return code === null;
}
