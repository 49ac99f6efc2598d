import type { ServerResponse } from 'node:http';
import type { Answer, PlainAnswer } from './answer.ts';
import type { Behaviour } from './behaviour.ts';
import { refusalWith } from './call-limiter.ts';

/** The HTTP status that was sent, or what happened instead of an answer. */
export type WireResult = number | 'hang' | 'reset' | 'resetMidBody';

/** Long enough for the receiver to read the first half of the body before the reset arrives. */
const BEFORE_RESET_MS = 20;
/** Used when the answer has no body that could be cut. */
const INVENTED_BODY = JSON.stringify({ message: 'This answer is longer than what arrives of it.' });

const HTML_PAGE =
  '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head>' +
  '<body><h1>502 Bad Gateway</h1><hr>gateway</body></html>\n';

export const UNAVAILABLE: PlainAnswer = {
  status: 503,
  headers: { 'content-type': 'text/plain' },
  body: 'Service Unavailable\n',
};
export const BAD_GATEWAY: PlainAnswer = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: HTML_PAGE,
};

/** Sends the answer, or what the payout's behaviour replaces it with. */
export async function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  nowMs: number,
): Promise<WireResult> {
  const { submission } = answer;
  if (submission === undefined) return send(response, answer);
  const { behaviour } = submission.payout;
  const how: Behaviour['answer'] = behaviour.answer;
  switch (how) {
    case 'normal':
      return send(response, answer);
    case 'hang':
      return 'hang';
    case 'http500':
      return send(response, submission.http500);
    case 'http400':
      return send(response, submission.http400);
    case 'tokenExpired':
      return send(response, submission.tokenExpired);
    case 'http429':
      return send(response, refusalWith(429, behaviour, nowMs));
    case 'http503':
      return send(response, refusalWith(503, behaviour, nowMs));
    case 'html':
      return send(response, BAD_GATEWAY);
    case 'reset':
      response.socket?.resetAndDestroy();
      return 'reset';
    case 'resetMidBody':
      return resetMidBody(response, answer);
    default: {
      const unhandled: never = how;
      throw new Error(`unhandled answer ${String(unhandled)}`);
    }
  }
}

export function send(response: ServerResponse, { status, headers, body }: PlainAnswer): number {
  const bytes = Buffer.from(body ?? '');
  // A 204 has no Content-Length header.
  const length = status === 204 ? {} : { 'content-length': bytes.length };
  response.writeHead(status, { ...headers, ...length });
  response.end(bytes);
  return status;
}

async function resetMidBody(
  response: ServerResponse,
  { status, headers, body }: PlainAnswer,
): Promise<WireResult> {
  const bytes = Buffer.from(body === undefined || body === '' ? INVENTED_BODY : body);
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  await new Promise<void>((resolve) => {
    response.on('close', resolve);
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
      setTimeout(resolve, BEFORE_RESET_MS);
    });
  });
  response.socket?.resetAndDestroy();
  return 'resetMidBody';
}
