import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { COUNTRIES, OPERATORS } from '../../sdk/src/index.ts';

/** What the service answers; a `status` of its own is a refusal. */
type Answer = Readonly<{ csv: string }> | Readonly<{ status: number; code: string }> | object;
export type Script = (method: string, path: string, query: URLSearchParams) => Answer | undefined;

export const WALLET = '01890a5d-ac96-774b-bcce-b302099a8057';
const NOTHING = { items: [], nextCursor: null };

/** A service that answers as the test says, and else that nothing is there. */
export async function startScripted(script: Script) {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
      const path = pathname.replace('/api/v1/payments/', '');
      const method = request.method ?? '';
      calls.push(`${method} ${path}`);
      const answer = script(method, path, searchParams) ?? usualAnswer(path);
      if ('csv' in answer) {
        response.writeHead(200, { 'content-type': 'text/csv' }).end(answer.csv);
        return;
      }
      const isRefusal = 'code' in answer && 'status' in answer;
      const data = isRefusal ? { error: { code: answer.code } } : answer;
      response
        .writeHead(isRefusal ? answer.status : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ status: !isRefusal, message: 'As scripted.', data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const end = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { baseUrl: `http://127.0.0.1:${port}`, calls, end };
}

function usualAnswer(path: string): object {
  if (path === 'operators') {
    const items = OPERATORS.flatMap((operator) =>
      COUNTRIES.map((country) => {
        const fee = { fixed: 0, basisPoints: 0 };
        return { operator, country, available: true, min: 1, max: 1_000_000, fee, health: 'up' };
      }),
    );
    return { items };
  }
  if (path !== `wallets/${WALLET}`) return NOTHING;
  return { id: WALLET, currency: 'ZMW', available: '1000000.00', held: '0.00', status: 'active' };
}

type Changes = Readonly<Record<string, unknown>>;

/** A payout file with one row, as the service shows it. */
export function fileOf(id: string, state: string, changes: Changes = {}) {
  return {
    id,
    name: `${id}.csv`,
    source: 'file',
    state,
    references: 'given',
    failedRowsOf: null,
    version: 2,
    walletId: WALLET,
    currency: 'ZMW',
    rules: [],
    approvalExpiresAt: null,
    submittedAt: '2026-11-01T00:00:00.000Z',
    createdAt: '2026-11-01T00:00:00.000Z',
    payAt: null,
    endedAs: null,
    problemKinds: [],
    counts: countsOf({}),
    ...changes,
  };
}

export function countsOf(changes: Changes) {
  const none = { problems: 0, warnings: 0, dropped: 0, created: 0, refused: 0 };
  return { rows: 1, ready: 1, ...none, succeeded: 0, failed: 0, cancelled: 0, ...changes };
}

/** A row that pays ZMW 10.00 to 0977433571. */
export function rowOf(changes: Changes = {}) {
  return {
    number: 1,
    line: 2,
    state: 'waiting',
    phone: '+260977433571',
    operator: 'airtel',
    country: 'zm',
    amount: 10,
    name: null,
    narration: null,
    reference: null,
    transferReference: null,
    problems: [],
    warnings: [],
    refusal: null,
    ...changes,
  };
}

/** The results of a file: reference, status and transfer of each row. */
export function resultsOf(...rows: readonly (readonly [reference: string, status: string])[]) {
  const lines = rows.map(([reference, status], n) => {
    return `${n + 1},${reference},${reference},0.00,${status},,,t-${reference},${status}`;
  });
  const names = 'row,reference,yourReference,fee,status,code,message,transferId,state';
  return { csv: [names, ...lines, ''].join('\r\n') };
}
