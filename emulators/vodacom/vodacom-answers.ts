import { answerJson, type PlainAnswer } from '../kernel/answer.ts';
import { codeFacts } from './ins-codes.ts';
import type { VodacomSettings } from './vodacom-state.ts';

/** Thrown where a request is found invalid; the protocol function turns it into an answer. */
export class VodacomRefusal extends Error {
  readonly answer: PlainAnswer;

  constructor(answer: PlainAnswer) {
    super('refused');
    this.answer = answer;
  }
}

type Output = Readonly<Record<string, string>>;

/** The code and its description, then the call's own fields; every name begins with `output_`. */
export function answerCode(
  insCode: string,
  { httpStatus, output = {} }: Readonly<{ httpStatus?: number; output?: Output }> = {},
): PlainAnswer {
  const facts = codeFacts(insCode);
  return answerJson(httpStatus ?? facts.httpStatus, {
    output_ResponseCode: insCode,
    output_ResponseDesc: facts.description,
    ...output,
  });
}

export function refuse(insCode: string): VodacomRefusal {
  return new VodacomRefusal(answerCode(insCode));
}

/** An answer of the gateway in front of the API, which has no codes. */
export function answerWithoutCode(httpStatus: number, message: string): PlainAnswer {
  return answerJson(httpStatus, { output_error: message });
}

export function sessionRefused(
  { sessionRefusedStatus }: Pick<VodacomSettings, 'sessionRefusedStatus'>,
  message: string,
): PlainAnswer {
  return answerWithoutCode(sessionRefusedStatus, message);
}

export const NO_SUCH_PATH = answerWithoutCode(404, 'Not Found');
