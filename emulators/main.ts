import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import type { RouteEntry, StartedEmulator } from './route-entry.ts';
import { OPERATORS, type OperatorName, startOperator } from './start-operators.ts';

/**
 * `npm run emulators`: starts the emulators on this machine, writes a route file with routes to them and
 * prints how to use it.
 */
const HELP = `npm run emulators -- [options]

  --only NAME        start only this emulator; may be repeated (${Object.keys(OPERATORS).join(', ')})
  --folder PATH      folder of their books and of the route file (data/emulators)
  --port N           port of the first emulator, the others follow; 0: any free ports (4101)
  --callbacks URL    URL of the service, for callbacks (http://localhost:3000)
  --time-scale N     factor for all times: 1 is real time, 0.01 is a hundred times faster (1)
  --calls N          calls accepted per second (the real operators' limits)
  --seed N           misbehave at random, repeatably by this seed
  --json             print one line of JSON when all have started
`;

const OPTIONS = {
  only: { type: 'string', multiple: true },
  folder: { type: 'string', default: join('data', 'emulators') },
  port: { type: 'string', default: '4101' },
  callbacks: { type: 'string', default: 'http://localhost:3000' },
  'time-scale': { type: 'string', default: '1' },
  calls: { type: 'string' },
  seed: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** The weights of behaviours under a seed; most payouts succeed. */
const SEED_MIX = {
  ok: 60,
  reject: 6,
  'pay-no-answer': 4,
  'pay-then-500': 4,
  'pay-then-html': 3,
  'pay-then-reset': 3,
  'pending-then-ok': 8,
  'pending-then-failed': 4,
  'callback-none': 4,
  'callback-twice': 4,
} as const;

const EXIT_USAGE = 64;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const names = chosenNames(values.only);
  const firstPort = readNumber('--port', values.port);
  const started: StartedEmulator[] = [];
  const end = async (): Promise<void> => {
    await Promise.allSettled(started.map((emulator) => emulator.close()));
    process.exit(0);
  };
  process.once('SIGTERM', () => void end());
  process.once('SIGINT', () => void end());
  for (const [index, name] of names.entries()) {
    const emulator = await startOperator(name, {
      port: firstPort === 0 ? 0 : firstPort + index,
      folder: values.folder,
      timeScale: readNumber('--time-scale', values['time-scale']),
      callbackBaseUrl: values.callbacks === '' ? null : values.callbacks.replace(/\/$/, ''),
      callsPerSecond: values.calls === undefined ? null : readNumber('--calls', values.calls),
    });
    started.push(emulator);
    if (values.seed !== undefined) await misbehave(emulator, readNumber('--seed', values.seed));
  }
  const path = await writeRoutes(values.folder, values.callbacks, started);
  process.stdout.write(values.json ? describeAsJson(path, started) : describe(path, started));
}

function chosenNames(only: readonly string[] | undefined): readonly OperatorName[] {
  const known = Object.keys(OPERATORS).filter((name): name is OperatorName => name in OPERATORS);
  for (const name of only ?? []) {
    if (!(name in OPERATORS)) throw new BadUsage(`--only: unknown emulator ${name}`);
  }
  return only === undefined ? known : known.filter((name) => only.includes(name));
}

class BadUsage extends Error {}

function readNumber(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) {
    throw new BadUsage(`${option}: ${text} is not a number of at least 0`);
  }
  return value;
}

async function misbehave({ url }: StartedEmulator, seed: number): Promise<void> {
  await fetch(`${url}/_emulator/seed`, {
    method: 'PUT',
    body: JSON.stringify({ seed, mix: SEED_MIX }),
  });
}

async function writeRoutes(
  folder: string,
  callbacks: string,
  started: readonly StartedEmulator[],
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'routes.json');
  const routes: readonly RouteEntry[] = started.flatMap((emulator) => emulator.routes);
  const file = { ...(callbacks === '' ? {} : { callbackBaseUrl: callbacks }), routes };
  await writeFile(path, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  return path;
}

function describeAsJson(path: string, started: readonly StartedEmulator[]): string {
  const emulators = started.map(({ name, url, routes }) => ({ name, url, routes }));
  return `${JSON.stringify({ routesFile: path, emulators })}\n`;
}

function describe(path: string, started: readonly StartedEmulator[]): string {
  const file = relative('.', path);
  const lines = started.map(({ name, url, routes }) => {
    const pairs = routes.map(({ operator, country }) => `${operator} ${country}`).join(', ');
    return `  ${name.padEnd(8)}  ${url}  ${pairs}`;
  });
  return `
These operators run on this machine, each with its own book in ${relative('.', join(path, '..'))}:

${lines.join('\n')}

Pay through them, in another terminal:

  ROUTES_FILE=${file} npm start

Then put money into the demo merchant's live wallet, and pay an MTN number with the live key:

  npm run admin -- wallets fund "$(node -p 'require("./data/demo.json").wallets.live.ZMW')" 1000 --reference opening
  curl -s http://127.0.0.1:3000/api/v1/payments/transfers/mobile-money \\
    -H "x-api-key: $(node -p 'require("./data/demo.json").liveKey')" -H 'content-type: application/json' \\
    -d '{"amount":25.50,"reference":"live-1","phone":"0961234567","operator":"mtn","country":"zm","walletId":"'"$(node -p 'require("./data/demo.json").wallets.live.ZMW')"'"}'

See what the operator executed:  curl -s ${started[0]?.url ?? ''}/_emulator/book
Press Ctrl-C to stop them.
`;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof BadUsage) && !(error instanceof TypeError)) throw error;
  process.stderr.write(`${error.message}\n\n${HELP}`);
  process.exitCode = EXIT_USAGE;
}
