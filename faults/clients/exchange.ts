import type { ExchangeRecord } from '../journal/exchange-record.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { ConnectionFault } from '../proxy/connection-fault.ts';
import { type RawRequest, sendRaw } from './send-raw.ts';

const ANSWER_TIMEOUT_MS = 3_000;

export type ExchangeDeps = Readonly<{
  journal: Journal<ExchangeRecord>;
  proxyPort: number;
  now: () => Date;
  nextExchange: () => number;
}>;

export type ClientRequest = RawRequest &
  Readonly<{ reference: string | null; flaw: string | null; fate: ConnectionFault }>;

export type Answer = Readonly<{ status: number; body: unknown }>;

/**
 * Sends a request and records both sides: the request before it is sent, the answer before it is used.
 * Undefined: there was no answer, so the result is unknown.
 */
export async function exchange(
  deps: ExchangeDeps,
  request: ClientRequest,
): Promise<Answer | undefined> {
  const number = deps.nextExchange();
  const at = () => deps.now().toISOString();
  const { method, path, idempotencyKey, body, reference, flaw, fate } = request;
  await deps.journal.write({
    kind: 'request',
    exchange: number,
    at: at(),
    method,
    path,
    idempotencyKey,
    body,
    reference,
    flaw,
    undisturbed: fate.kind === 'clean',
  });
  const outcome = await sendRaw(deps.proxyPort, request, { fate, timeoutMs: ANSWER_TIMEOUT_MS });
  if (outcome.kind === 'unanswered') {
    const { cause } = outcome;
    await deps.journal.write({ kind: 'unanswered', exchange: number, at: at(), cause });
    return undefined;
  }
  const { status, headers, body: answerBody } = outcome.answer;
  await deps.journal.write({
    kind: 'answered',
    exchange: number,
    at: at(),
    status,
    replayed: headers.get('idempotent-replayed') === 'true',
    requestId: headers.get('x-request-id') ?? null,
    body: answerBody,
  });
  return { status, body: answerBody };
}
