import { programFile } from '../../scripts/program-file.ts';
import type { OperatorPlan } from '../plan/plan.ts';
import { type LinkProxy, startLinkProxy } from '../proxy/link-proxy.ts';
import { type Supervised, supervise } from './supervised-process.ts';

/** Far more than a run needs: the operators' rate limits are tested elsewhere. */
const CALLS_PER_SECOND = 500;
/** On a busy machine an operator that just started again took more than two seconds for its first answer. */
const CONTROL_TIMEOUT_MS = 15_000;

/** An entry of the service's route file, with only the members that the harness changes. */
export type RouteEntry = Readonly<{
  name: string;
  limits?: Readonly<Record<string, number>>;
  callbackToken?: string;
  settings: Readonly<Record<string, unknown>>;
}>;

type Ready = Readonly<{ url: string; routes: readonly RouteEntry[] }>;

/** One operator: the process of its emulator, and the link to it. */
export type OperatorProcess = Readonly<{
  plan: OperatorPlan;
  process: Supervised<Ready>;
  link: LinkProxy;
  /** Its routes, with URLs of the link. */
  routes(): readonly RouteEntry[];
  control(call: string, body?: unknown): Promise<unknown>;
}>;

export type OperatorOptions = Readonly<{
  plan: OperatorPlan;
  /** Added to the names of its routes; empty for the first account. */
  suffix: string;
  seed: number;
  /** The folder of its book. */
  folder: string;
  logFile: string;
  callbackUrl: string;
  timeScale: number;
  /** How it treats some numbers; the seed decides about all others. */
  rules: readonly unknown[];
}>;

export async function startOperator(options: OperatorOptions): Promise<OperatorProcess> {
  const { plan, seed, suffix, rules } = options;
  const process = supervise<Ready>({
    command: () => ({ args: writeArguments(options), env: {} }),
    logFile: options.logFile,
    readReady,
    // The seed is set before the link leads to it, also after a restart.
    prepare: async ({ url }) => {
      await call(url, 'PUT seed', { seed, mix: plan.mix });
      await call(url, 'PUT rules', rules);
    },
  });
  const link = await startLinkProxy({ targetPort: () => portOf(process.ready()) });
  const control: OperatorProcess['control'] = async (text, body) => {
    const ready = process.ready();
    if (ready === undefined) throw new Error(`${plan.name} is not running`);
    return call(ready.url, text, body);
  };
  let known: Ready['routes'] = [];
  const routes = () => {
    // Keeps the last routes while it is down, so that a route file written then still has them.
    known = process.ready()?.routes ?? known;
    return known.map((entry) => {
      const linked = throughLink(entry, link);
      return { ...linked, name: `${linked.name}${suffix}` };
    });
  };
  return { plan, process, link, routes, control };
}

function writeArguments({
  plan,
  folder,
  callbackUrl,
  timeScale,
}: OperatorOptions): readonly string[] {
  const options = {
    '--only': plan.name,
    '--folder': folder,
    '--port': '0',
    '--callbacks': callbackUrl,
    '--time-scale': String(timeScale),
    '--calls': String(CALLS_PER_SECOND),
  };
  return [programFile('emulators'), ...Object.entries(options).flat(), '--json'];
}

function readReady(line: string): Ready | undefined {
  if (!line.startsWith('{"routesFile"')) return undefined;
  const { emulators } = JSON.parse(line) as { emulators: readonly Ready[] };
  return emulators[0];
}

function portOf(ready: Ready | undefined): number | undefined {
  return ready === undefined ? undefined : Number(new URL(ready.url).port);
}

function throughLink(entry: RouteEntry, link: LinkProxy): RouteEntry {
  const baseUrl = new URL(String(entry.settings['baseUrl']));
  baseUrl.port = String(link.port);
  const text = baseUrl.href.replace(/\/$/, '');
  return { ...entry, settings: { ...entry.settings, baseUrl: text } };
}

async function call(url: string, text: string, body?: unknown): Promise<unknown> {
  const [method = 'GET', path = ''] = text.split(' ');
  const answer = await fetch(`${url}/_emulator/${path}`, {
    method,
    signal: AbortSignal.timeout(CONTROL_TIMEOUT_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${text} was refused: ${await answer.text()}`);
  return answer.status === 204 ? undefined : answer.json();
}
