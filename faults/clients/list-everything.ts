import { type ExchangeDeps, exchange } from './exchange.ts';
import type { Access } from './write-body.ts';

const PAGES_MAX = 200;
/** Retries, because a busy machine may not answer in time. The faults have ended when this runs. */
const TRIES_MAX = 10;

/** Lists all transfers through the API, page by page, into the journal. */
export async function listEverything(deps: ExchangeDeps, access: Access): Promise<void> {
  for (const apiKey of Object.values(access.keys)) await listBook(deps, apiKey);
}

async function listBook(deps: ExchangeDeps, apiKey: string): Promise<void> {
  let cursor: string | null = '';
  for (let page = 0; cursor !== null && page < PAGES_MAX; page += 1) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/api/v1/payments/transfers?limit=100${after}`;
    cursor = readCursor(await readUntilAnswered(deps, { path, apiKey }));
  }
}

async function readUntilAnswered(
  deps: ExchangeDeps,
  { path, apiKey }: Readonly<{ path: string; apiKey: string }>,
): Promise<unknown> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const answer = await exchange(deps, {
      method: 'GET',
      path,
      apiKey,
      idempotencyKey: null,
      body: null,
      reference: null,
      flaw: null,
      fate: { kind: 'clean' },
    });
    if (answer !== undefined) return answer.body;
  }
  return undefined;
}

function readCursor(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const { data } = body as { data?: { nextCursor?: string | null } };
  return data?.nextCursor ?? null;
}
