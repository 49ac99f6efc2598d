import { answerJson, type PlainAnswer } from '../kernel/answer.ts';

/** HTTP status and message of each code. Many final codes have status 500. */
const ERRORS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  VALIDATION_ERROR: [400, 'The request is not valid.'],
  RESOURCE_NOT_FOUND: [404, 'Requested resource was not found.'],
  RESOURCE_ALREADY_EXIST: [409, 'Duplicated reference id. Creation of resource failed.'],
  NOT_ALLOWED: [500, 'This account may not do that.'],
  NOT_ALLOWED_TARGET_ENVIRONMENT: [500, 'This account has no such target environment.'],
  INVALID_CALLBACK_URL_HOST: [500, 'The callback host is not the registered one.'],
  INVALID_CURRENCY: [500, 'This account has another currency.'],
  INTERNAL_PROCESSING_ERROR: [500, 'Something went wrong inside.'],
  SERVICE_UNAVAILABLE: [503, 'Not available now.'],
  NOT_ENOUGH_FUNDS: [500, 'The payer has not enough funds.'],
  PAYER_LIMIT_REACHED: [500, 'The payer has reached a limit.'],
  PAYER_NOT_FOUND: [500, 'Payer does not exist'],
  PAYEE_NOT_FOUND: [500, 'Payee does not exist'],
  PAYEE_LIMIT_REACHED: [500, 'The payee has reached a limit.'],
  PAYEE_NOT_ALLOWED_TO_RECEIVE: [500, 'The payee may not receive this.'],
};

export function messageOf(code: string): string {
  return ERRORS[code]?.[1] ?? code;
}

/** A refusal with a code: `{"code":…,"message":…}`. */
export function refuse(code: string, message: string = messageOf(code)): PlainAnswer {
  const [status] = ERRORS[code] ?? [500];
  return answerJson(status, { code, message });
}

/** A refusal of the API gateway, which has no codes. */
export function refuseAtGateway(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): PlainAnswer {
  return answerJson(status, { statusCode: status, message }, headers);
}

export function badRequest(message: string): PlainAnswer {
  return refuseAtGateway(400, message);
}
