import { randomUUID } from 'node:crypto';
import type { ProbeAnswer, RunFacts, TenancyProbe } from '../journal/exchange-record.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { Access } from './write-body.ts';

const BASE = '/api/v1/payments';
const TIMEOUT_MS = 5_000;
const TRANSFERS_MAX = 6;

type Deps = Readonly<{ port: () => number | undefined; journal: Journal<TenancyProbe> }>;

type Objects = Readonly<{
  transfers: readonly Readonly<{ id: string; reference: string }>[];
  wallets: readonly string[];
  endpoints: readonly string[];
  recipients: readonly Readonly<{ id: string; phone: string }>[];
}>;
/** The other merchant's recipient in each book, and an unused number. */
export const RECIPIENT_PHONES = { test: '+260977000123', live: '+260977000124' } as const;
const UNKNOWN_PHONE = '+260977000125';

/** Requests one book's objects, and unknown objects, with the keys of other books. */
export async function probeTenancy(
  deps: Deps,
  access: Access,
  endpoints: RunFacts['endpoints'],
): Promise<void> {
  for (const mode of ['test', 'live'] as const) {
    const otherMode = mode === 'test' ? 'live' : 'test';
    const { keys, otherKeys } = access;
    const objects = {
      transfers: await findTransfers(deps, keys[mode]),
      wallets: Object.values(access.wallets[mode]),
      endpoints: [endpoints[mode].id],
      recipients: [],
    };
    for (const key of [otherKeys.test, otherKeys.live, keys[otherMode]]) {
      await probe(deps, key, objects);
    }
    const recipients = [{ id: access.otherRecipients[mode], phone: RECIPIENT_PHONES[mode] }];
    for (const key of [keys.test, keys.live, otherKeys[otherMode]]) {
      await probe(deps, key, { transfers: [], wallets: [], endpoints: [], recipients });
    }
  }
}

async function findTransfers(deps: Deps, key: string): Promise<Objects['transfers']> {
  const list = await send(deps, key, { method: 'GET', path: `${BASE}/transfers?limit=100` });
  const { data } = list.body as { data?: { items?: readonly { id: string; reference: string }[] } };
  return (data?.items ?? []).slice(0, TRANSFERS_MAX);
}

async function probe(deps: Deps, key: string, objects: Objects): Promise<void> {
  const paths = [
    ...objects.transfers.flatMap(({ id, reference }) => [
      ['GET', `/transfers/${id}`, `/transfers/${randomUUID()}`],
      ['GET', `/transfers/${id}/history`, `/transfers/${randomUUID()}/history`],
      ['POST', `/transfers/${id}/cancel`, `/transfers/${randomUUID()}/cancel`],
      ['GET', `/transfers/status/${reference}`, `/transfers/status/${randomUUID()}`],
      ['GET', `/transfers?reference=${reference}`, `/transfers?reference=${randomUUID()}`],
    ]),
    ...objects.wallets.flatMap((id) => [
      ['GET', `/wallets/${id}`, `/wallets/${randomUUID()}`],
      ['GET', `/wallets/${id}/postings`, `/wallets/${randomUUID()}/postings`],
    ]),
    ...objects.endpoints.flatMap((id) => [
      ['GET', `/webhooks/${id}`, `/webhooks/${randomUUID()}`],
      ['GET', `/webhooks/${id}/deliveries`, `/webhooks/${randomUUID()}/deliveries`],
    ]),
    ...objects.recipients.flatMap(({ id, phone }) => [
      ['GET', `/transfer-recipients/${id}`, `/transfer-recipients/${randomUUID()}`],
      ['GET', recipientsWith(phone), recipientsWith(UNKNOWN_PHONE)],
    ]),
  ];
  for (const [method, path = '', unknownPath = ''] of paths) {
    const how = method === 'POST' ? 'POST' : 'GET';
    const existing = await send(deps, key, { method: how, path: `${BASE}${path}` });
    const unknown = await send(deps, key, { method: how, path: `${BASE}${unknownPath}` });
    await deps.journal.write({ path, method: how, existing, unknown });
  }
}

function recipientsWith(phone: string): string {
  return `/transfer-recipients?phone=${encodeURIComponent(phone)}`;
}

async function send(
  { port }: Deps,
  key: string,
  { method, path }: Readonly<{ method: 'GET' | 'POST'; path: string }>,
): Promise<ProbeAnswer> {
  const answer = await fetch(`http://127.0.0.1:${port()}${path}`, {
    method,
    headers: { 'x-api-key': key },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}
