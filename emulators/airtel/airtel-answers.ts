import { answerJson, type PlainAnswer } from '../kernel/answer.ts';
import { codeFacts } from './airtel-codes.ts';
import type { AirtelSettings } from './airtel-state.ts';

type Details = Readonly<{
  data?: unknown;
  message?: string;
  resultCode?: string;
  /** For whoever debugs against the emulator: a header that the real operator does not send. */
  why?: string;
}>;

/** Thrown wherever a request is found wrong, and answered at the top. */
export class AirtelRefusal extends Error {
  readonly code: string;
  readonly details: Details;

  constructor(code: string, details: Details = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

/** As `AirtelRefusal`, for what the gateway before the operator refuses. */
export class GatewayRefusal extends Error {
  readonly answer: PlainAnswer;

  constructor(answer: PlainAnswer) {
    super('refused by the gateway');
    this.answer = answer;
  }
}

/** The envelope of every answer. `success` and `code` may well disagree with each other. */
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
    // Answers of the older kind have nothing but a result code.
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
/** Says nothing about the payout: a status that means "your fault", and no code. */
export const BAD_REQUEST = answerAsGateway(400, {
  error: 'bad_request',
  message: 'The request could not be processed',
});
export const NO_SUCH_PATH = answerAsGateway(404, {
  error: 'not_found',
  message: 'No such resource',
});
