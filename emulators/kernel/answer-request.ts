import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, OperatorRequest } from './answer.ts';
import { applyBalanceFault } from './balance-fault.ts';
import { answerControl, CONTROL_PREFIX } from './control-api.ts';
import type { EmulatorParts } from './emulator-context.ts';
import { send, sendAnswer, UNAVAILABLE, type WireResult } from './send-answer.ts';
import { TIMER_MS_MAX } from './timers.ts';

const BODY_BYTES_MAX = 1024 * 1024;

/** Handles one request completely; never throws. */
export async function answerRequest(
  parts: EmulatorParts,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const at = new Date(parts.context.now()).toISOString();
  const request = await readRequest(incoming);
  // The caller closed the connection before it had sent its whole request, so no answer can be sent.
  if (request === null) return;
  const { method, path } = request;
  const record = (status: WireResult, error?: string) =>
    parts.requests.add({ at, method, path, status, ...(error === undefined ? {} : { error }) });
  try {
    if (request.body.length > BODY_BYTES_MAX) {
      record(send(response, { status: 413, body: 'Request Entity Too Large\n' }));
    } else if (path.startsWith(CONTROL_PREFIX)) {
      send(response, await answerControl(parts, request));
    } else {
      record(await answerAsOperator(parts, request, response));
    }
  } catch (error) {
    if (parts.closing.signal.aborted) return;
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    record(500, reason);
    if (!response.headersSent) send(response, { status: 500, body: `emulator broke: ${reason}\n` });
  }
}

async function answerAsOperator(
  parts: EmulatorParts,
  request: OperatorRequest,
  response: ServerResponse,
): Promise<WireResult> {
  const { context, condition } = parts;
  if (condition.kind === 'hang') return 'hang';
  if (condition.kind === 'down') return send(response, UNAVAILABLE);
  if (condition.kind === 'slow') await wait(parts, condition.delayMs);
  const kind = parts.kindOf(request);
  const refused = parts.limiter.refuse(kind);
  if (refused !== undefined && !refused.takes) return send(response, refused.answer);
  const usual: Answer | 'hang' = await parts.protocol(request, context);
  const answer = kind === 'balance' ? applyBalanceFault(usual, parts.balanceFault) : usual;
  if (refused !== undefined)
    return refuseTaken(parts, answer, () => send(response, refused.answer));
  if (answer === 'hang') return 'hang';
  if (answer.submission === undefined) return sendAnswer(response, answer, context.now());
  const { payout, waitMs = 0 } = answer.submission;
  try {
    await wait(parts, payout.behaviour.answerDelayMs + waitMs);
    return await sendAnswer(response, answer, context.now());
  } finally {
    context.backend.answered(payout);
  }
}

/** The submission was accepted, but the answer says that it was refused. */
function refuseTaken(
  { context }: EmulatorParts,
  answer: Answer | 'hang',
  sendRefusal: () => number,
): number {
  const status = sendRefusal();
  if (answer !== 'hang' && answer.submission !== undefined) {
    context.backend.answered(answer.submission.payout);
  }
  return status;
}

/** Rejects when the emulator closes during the wait. */
async function wait({ context, closing }: EmulatorParts, delayMs: number): Promise<void> {
  const realMs = Math.min(delayMs * context.timeScale, TIMER_MS_MAX);
  if (delayMs > 0) await pause(realMs, undefined, { signal: closing.signal });
}

async function readRequest(incoming: IncomingMessage): Promise<OperatorRequest | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of incoming) {
      if (!Buffer.isBuffer(chunk)) continue;
      bytes += chunk.length;
      // One chunk above the limit is kept, so that the length shows it; the rest is read and discarded.
      if (bytes - chunk.length <= BODY_BYTES_MAX) chunks.push(chunk);
    }
  } catch {
    return null;
  }
  const [path = '', query = ''] = splitAtQuery(incoming.url ?? '');
  return {
    method: incoming.method ?? '',
    path,
    query: new URLSearchParams(query),
    headers: incoming.headers,
    body: Buffer.concat(chunks),
    remoteAddress: incoming.socket.remoteAddress ?? '',
  };
}

function splitAtQuery(url: string): readonly string[] {
  const at = url.indexOf('?');
  return at === -1 ? [url] : [url.slice(0, at), url.slice(at + 1)];
}
