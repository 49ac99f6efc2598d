import { findPostmaster } from './data-folder.ts';
import type { InjectDeps } from './inject-faults.ts';
import { queryOnce } from './query-once.ts';

const PER_MILLE = 1_000;
const SEND_TIMEOUT_MS = 3_000;
const FORGED_MAX = 40;
/** More than the service stores. */
const HUGE_BYTES = 2 * 1024 * 1024;
const LARGE_BYTES = 60_000;
const WRONG_TOKEN = 'not-the-token-of-a-route';

type StoredCallback = { route: string; method: string; headers: string; body: Buffer };
type Target = { route: string; reference: string };
type Callback = Readonly<{
  kind: string;
  route: string;
  token: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}>;

/** Sends copies of an operator's real callback, all at once. */
export async function repeatCallbacks(
  deps: InjectDeps,
  { perMille, times }: Readonly<{ perMille: number; times: number }>,
): Promise<boolean> {
  const stored = await readStored(deps);
  const chosen = stored[Math.floor((stored.length * perMille) / PER_MILLE)];
  if (chosen === undefined) return false;
  const callback = {
    kind: 'repeated',
    route: chosen.route,
    token: tokenOf(deps, chosen.route),
    method: chosen.method,
    headers: JSON.parse(chosen.headers) as Record<string, string>,
    body: chosen.body.toString('utf8'),
  };
  await Promise.all(Array.from({ length: times }, () => send(deps, callback)));
  return true;
}

/** Each operator's words for success and failure. */
const WORDS: readonly (readonly [string, string])[] = [
  ['SUCCESSFUL', 'FAILED'],
  ['COMPLETED', 'FAILED'],
  ['"TS"', '"TF"'],
  ['INS-0', 'INS-6'],
];

/** Sends forged callbacks about existing payouts: the opposite end, in the operator's words, unsigned. */
export async function forgeCallbacks(deps: InjectDeps, perMille: number): Promise<boolean> {
  const stored = await readStored(deps);
  const targets = await readTargets(deps);
  const from = Math.floor((targets.length * perMille) / PER_MILLE);
  const chosen = [...targets.slice(from), ...targets.slice(0, from)].slice(0, FORGED_MAX);
  const lies = chosen.flatMap((target) => writeForgedCallbacks(deps, stored, target));
  await Promise.all(lies.map((lie) => send(deps, lie)));
  return lies.length > 0;
}

function writeForgedCallbacks(
  deps: InjectDeps,
  stored: readonly StoredCallback[],
  { route, reference }: Target,
): readonly Callback[] {
  const common = { route, token: tokenOf(deps, route), method: 'POST' };
  const headers = { 'content-type': 'application/json' };
  const sample = stored.find((callback) => callback.route.split('-')[0] === route.split('-')[0]);
  const sampleBody = sample?.body.toString('utf8') ?? '';
  const renamed = sampleBody
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, reference)
    .replaceAll(/\b[0-9a-f]{32}\b/g, reference.replaceAll('-', ''));
  const turned = WORDS.reduce(
    (text, [good, bad]) => (text.includes(good) ? text.replaceAll(good, bad) : text),
    renamed,
  );
  const claims = ['SUCCESSFUL', 'FAILED'].map((status) =>
    JSON.stringify({
      externalId: reference,
      referenceId: reference,
      payoutId: reference,
      amount: '1',
      currency: 'ZMW',
      status,
      transaction: {
        id: reference.replaceAll('-', ''),
        status_code: status === 'FAILED' ? 'TF' : 'TS',
      },
    }),
  );
  const bodies = [...new Set([renamed, turned, ...claims])].filter((body) => body !== '');
  return [
    ...bodies.map((body) => ({ kind: 'forged', ...common, headers, body })),
    { kind: 'forged, wrong token', ...common, token: WRONG_TOKEN, headers, body: claims[0] ?? '' },
  ];
}

/** Sends oversized bodies and bodies that are not JSON. */
export async function sendHugeCallbacks(deps: InjectDeps): Promise<boolean> {
  const routes = [...deps.system.operators.values()].flatMap((operator) => operator.routes());
  const sent = routes.flatMap(({ name, callbackToken: token = '' }) =>
    [HUGE_BYTES, LARGE_BYTES, 0].map((bytes) =>
      send(deps, {
        kind: `${bytes} bytes`,
        route: name,
        token,
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: '['.repeat(bytes),
      }),
    ),
  );
  await Promise.all(sent);
  return sent.length > 0;
}

function tokenOf({ system }: InjectDeps, route: string): string {
  const routes = [...system.operators.values()].flatMap((operator) => operator.routes());
  return routes.find(({ name }) => name === route)?.callbackToken ?? '';
}

async function send(deps: InjectDeps, callback: Callback): Promise<void> {
  const { kind, route, token, method, headers, body } = callback;
  const at = deps.now().toISOString();
  const status = await fetch(
    `http://127.0.0.1:${deps.system.front.port}/callbacks/${route}/${token}`,
    { method, headers, body, signal: AbortSignal.timeout(SEND_TIMEOUT_MS) },
  ).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => null,
  );
  await deps.attacks.write({ at, kind, target: route, status });
}

async function readStored(deps: InjectDeps): Promise<readonly StoredCallback[]> {
  return query<StoredCallback>(deps, STORED);
}

async function readTargets(deps: InjectDeps): Promise<readonly Target[]> {
  return query<Target>(deps, TARGETS);
}

async function query<Row extends object>(deps: InjectDeps, text: string): Promise<readonly Row[]> {
  const postmaster = await findPostmaster(deps.system.database.dataDir);
  return postmaster === undefined
    ? []
    : queryOnce<Row & Record<string, unknown>>(postmaster.databaseUrl, text);
}

const STORED = `
  select route, method, headers::text as headers, body from callbacks
  where reading = 'read'
  order by received_at desc limit 200`;

const TARGETS = `
  select t.route, t.operator_reference::text as reference
  from transfers t join books b on b.id = t.book_id
  where b.mode = 'live' and t.route not like 'zamtel%'
  order by t.created_at desc limit 200`;
