import { textAt } from '../wire/exact-json.ts';
import type { OperatorWire } from '../wire/operator-wire.ts';
import { isVodacomCode } from './vodacom-codes.ts';

export type FetchedSession =
  | Readonly<{ kind: 'fetched'; sessionId: string }>
  | Readonly<{ kind: 'failed'; cause: string }>;

/** Printable, and short enough that the smallest key can still encrypt it. */
const SESSION_ID = /^[!-~]{4,200}$/;

/** Asks for a new session. What was said on the wire is dropped here: it holds the session id. */
export async function fetchSession(
  wire: OperatorWire,
  request: Readonly<{ path: string; headers: Record<string, string>; timeoutMs: number }>,
): Promise<FetchedSession> {
  const answer = await wire.send({ method: 'GET', body: null, ...request });
  if (answer.kind !== 'answered') return failed(answer.cause);
  const code = textAt(answer.json, 'output_ResponseCode');
  const sessionId = textAt(answer.json, 'output_SessionID');
  if (answer.status !== 200 || code !== 'INS-0') {
    return failed(isVodacomCode(code) ? code : `HTTP ${answer.status}`);
  }
  if (sessionId === undefined || !SESSION_ID.test(sessionId)) {
    return failed('the answer has no output_SessionID that can be used');
  }
  return { kind: 'fetched', sessionId };
}

function failed(cause: string): FetchedSession {
  return { kind: 'failed', cause: `no session: ${cause}` };
}
