import { type FetchFunction, Kafue } from '../../sdk/src/index.ts';
import type { Payout } from '../src/payout-file/payout.ts';

type Request = Readonly<{
  method: string;
  path: string;
  body: unknown;
  /** Of a list of transfers. */
  references: readonly string[];
}>;
type Answer = Readonly<{ status: number; data: unknown }> | Readonly<{ csv: string }>;
type Script = (request: Request, call: number) => Answer;

/** The SDK before a service that answers as the test says; a script that throws is a lost line. */
export function fakeKafue(script: Script) {
  let calls = 0;
  const fetch: FetchFunction = async (url, { method, body }) => {
    calls += 1;
    const { pathname, searchParams } = new URL(url);
    const path = pathname.replace('/api/v1/payments/', '');
    const references = searchParams.get('reference')?.split(',') ?? [];
    const sent: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
    const answer = script({ method, path, body: sent, references }, calls);
    if ('csv' in answer) return answerOf(200, { type: 'text/csv', text: answer.csv });
    const { status, data } = answer;
    const text = JSON.stringify({ status: status < 300, message: 'As scripted.', data });
    return answerOf(status, { type: 'application/json', text });
  };
  const kafue = new Kafue({ apiKey: 'sk_test_scripted', fetch, maxRetries: 0 });
  return { kafue, calls: () => calls };
}

function answerOf(status: number, { type, text }: Readonly<{ type: string; text: string }>) {
  const get = (name: string): string | null => (name === 'content-type' ? type : null);
  return { status, headers: { get }, text: async () => text };
}

/** A transfer as the service shows it: ZMW 10.10 to an MTN number. */
export function transferOf(reference: string, changes: Readonly<Record<string, unknown>> = {}) {
  return {
    id: `id-${reference}`,
    reference,
    status: 'pending',
    state: 'submitting',
    failure: null,
    createdAt: '2026-11-15T08:00:00.000Z',
    amount: 10.1,
    fee: 0.5,
    phone: '+260966433571',
    operator: 'mtn',
    country: 'zm',
    walletId: '01890a5d-ac96-774b-bcce-b302099a8057',
    narration: null,
    recipientName: null,
    ...changes,
  };
}

/** A payout of which `transferOf` is the transfer. */
export function payoutOf(reference: string, line = 2): Payout {
  return {
    line,
    amountMinor: 1_010n,
    currency: 'ZMW',
    reference,
    retryOf: null,
    phone: '0966433571',
    operator: 'mtn',
    country: 'zm',
    walletId: '01890a5d-ac96-774b-bcce-b302099a8057',
    narration: null,
    recipientName: null,
  };
}
