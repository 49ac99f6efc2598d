/** An answer as the wire would return it. */

import type { Answered } from '../../src/operators/airtel/answers.ts';
import { readExactJson } from '../../src/operators/wire/exact-json.ts';

export function answeredText(status: number, text: string): Answered {
  const record = { request: 'POST /', httpStatus: status, answer: text, elapsedMs: 1 };
  return { kind: 'answered', status, headers: {}, text, json: readExactJson(text), record };
}

export function answered(status: number, body: unknown): Answered {
  return answeredText(status, JSON.stringify(body));
}
