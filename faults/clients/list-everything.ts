import { type ExchangeDeps, exchange } from './exchange.ts';
import type { Access } from './write-body.ts';

const PAGES_MAX = 200;

/** Lists all transfers through the API, page by page, into the journal. */
export async function listEverything(deps: ExchangeDeps, access: Access): Promise<void> {
  for (const apiKey of Object.values(access.keys)) await listBook(deps, apiKey);
}

async function listBook(deps: ExchangeDeps, apiKey: string): Promise<void> {
  let cursor: string | null = '';
  for (let page = 0; cursor !== null && page < PAGES_MAX; page += 1) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await exchange(deps, {
      method: 'GET',
      path: `/api/v1/payments/transfers?limit=100${after}`,
      apiKey,
      idempotencyKey: null,
      body: null,
      reference: null,
      flaw: null,
      fate: { kind: 'clean' },
    });
    cursor = readCursor(answer?.body);
  }
}

function readCursor(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const { data } = body as { data?: { nextCursor?: string | null } };
  return data?.nextCursor ?? null;
}
