import { answerJson, type PlainAnswer } from '../kernel/answer.ts';
import { codeFacts } from './airtel-codes.ts';
import type { AirtelSettings } from './airtel-state.ts';

type Details = Readonly<{
  data?: unknown;
  message?: string;
  resultCode?: string;
  /** For debugging: sent in a header that the real operator does not have. */
  why?: string;
}>;

/** Thrown where a request is found invalid; the protocol function turns it into an answer. */
export class AirtelRefusal extends Error {
  readonly code: string;
  readonly details: Details;

  constructor(code: string, details: Details = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

/** Like `AirtelRefusal`, for refusals by the gateway in front of the operator. */
export class GatewayRefusal extends Error {
  readonly answer: PlainAnswer;

  constructor(answer: PlainAnswer) {
    super('refused by the gateway');
    this.answer = answer;
  }
}

/** The envelope of every answer. `success` and `code` can contradict each other. */
export function answerCode(
  settings: AirtelSettings,
  code: string,
  details: Details = {},
): PlainAnswer {
  const facts = codeFacts(code);
  const httpStatus = facts.httpStatus ?? settings.refusalHttpStatus;
  const message = details.message ?? facts.message;
  const headers: Record<string, string> =
    details.why === undefined ? {} : { 'x-emulator-reason': details.why };
  if (settings.routerErrorsAs === 'gateway' && code.startsWith('ROUTER')) {
    const body = gatewayBody({ error: 'router_error', statusCode: code, message });
    return answerJson(httpStatus, body, headers);
  }
  const resultCode = details.resultCode ?? facts.resultCode;
  const status = {
    // Answers of the older scheme have only a result code.
    ...(code.startsWith('ESB') ? {} : { response_code: code }),
    code: String(httpStatus),
    success: facts.resultCode === 'ESB000010',
    result_code: resultCode,
    message,
  };
  const { data } = details;
  return answerJson(httpStatus, { ...(data === undefined ? {} : { data }), status }, headers);
}

function gatewayBody(said: Readonly<{ error: string; statusCode: string; message: string }>) {
  const { error, statusCode, message } = said;
  return { error, error_description: message, status_code: statusCode, status_message: message };
}

export function answerAsGateway(
  httpStatus: number,
  { error, message }: Readonly<{ error: string; message: string }>,
): PlainAnswer {
  return answerJson(httpStatus, gatewayBody({ error, statusCode: String(httpStatus), message }));
}

export const TOKEN_REFUSED = answerAsGateway(401, {
  error: 'invalid_token',
  message: 'The access token is invalid or has expired',
});
/** A 400 without a code: it says nothing about the payout. */
export const BAD_REQUEST = answerAsGateway(400, {
  error: 'bad_request',
  message: 'The request could not be processed',
});
export const NO_SUCH_PATH = answerAsGateway(404, {
  error: 'not_found',
  message: 'No such resource',
});
