import { type Answer, answerJson, type PlainAnswer } from '../kernel/answer.ts';
import type { Payout } from '../kernel/behaviour.ts';
import type { EmulatorContext, Protocol } from '../kernel/emulator-context.ts';
import { type RefusalWord, refusalCode } from '../kernel/refusal-words.ts';
import { readZamtelOrder, type ZamtelOrder } from './zamtel-order.ts';
import type { ZamtelSettings } from './zamtel-settings.ts';

const SUCCESS = '0';
/** The operator itself does not know whether the payout was executed. */
const INTERNAL_ERROR = '-1';
const NOT_AUTHENTICATED = '2001';
const MESSAGES: Readonly<Record<string, string>> = {
  [SUCCESS]: 'Success',
  [INTERNAL_ERROR]: 'Internal error',
  [NOT_AUTHENTICATED]: 'Initiator authentication error',
  '2002': 'Receiver invalid',
  '2005': 'Rule limited',
  '2006': 'Balance insufficient',
  '2051': 'MSISDN invalid',
  E8003: 'Wrong PIN',
  E8027: 'System unable to process',
};
const CODES: Readonly<Record<RefusalWord, string>> = {
  'recipient-not-found': '2002',
  'recipient-limit': '2005',
  'float-insufficient': '2006',
  declined: '2051',
};
const MALFORMED: PlainAnswer = { status: 400, body: 'Bad Request\n' };
const FORBIDDEN: PlainAnswer = { status: 403, body: 'Forbidden\n' };
const NOT_FOUND: PlainAnswer = { status: 404, body: 'Not Found\n' };
const NOT_GET: PlainAnswer = { status: 405, headers: { allow: 'GET' }, body: 'Use GET\n' };

/** Serves only `GET …/B2CReq`. There is no inquiry, callback, name or balance operation. */
export function createZamtelProtocol(settings: ZamtelSettings): Protocol {
  return async ({ method, path, query, remoteAddress }, context) => {
    const { addressesAllowed } = settings;
    if (addressesAllowed !== null && !addressesAllowed.includes(remoteAddress)) return FORBIDDEN;
    if (path !== `${settings.basePath}/B2CReq`) return NOT_FOUND;
    if (method !== 'GET') return NOT_GET;
    const read = readZamtelOrder(settings, query);
    if (read.kind === 'malformed') return MALFORMED;
    if (read.kind === 'code') return say(settings, read.code);
    return pay(settings, read.order, context);
  };
}

/** Moves the money first, then sends the only answer that the caller will ever get. */
async function pay(
  settings: ZamtelSettings,
  { conversationId, msisdn, amountMinor }: ZamtelOrder,
  { backend }: EmulatorContext,
): Promise<Answer> {
  const { payout } = await backend.submit({
    ourReference: conversationId,
    msisdn,
    amountMinor,
    currency: 'ZMW',
  });
  return {
    ...sayEnd(settings, payout),
    submission: {
      payout,
      waitMs: payout.pendingMs,
      http500: { ...say(settings, INTERNAL_ERROR), status: 500 },
      http400: MALFORMED,
      // Zamtel has no tokens; the nearest equivalent is an expired credential.
      tokenExpired: say(settings, NOT_AUTHENTICATED),
    },
  };
}

function sayEnd(settings: ZamtelSettings, { behaviour, operatorTransactionId }: Payout) {
  switch (behaviour.execute) {
    case 'once':
    case 'twice':
      return say(settings, SUCCESS, { TransactionId: operatorTransactionId });
    case 'late':
      return say(settings, INTERNAL_ERROR);
    case 'never':
      return say(settings, refusalCode(behaviour.refusal ?? INTERNAL_ERROR, CODES));
    default: {
      const unhandled: never = behaviour.execute;
      throw new Error(`unhandled execution ${String(unhandled)}`);
    }
  }
}

/** Always HTTP 200; only the code says whether it succeeded. */
function say(
  { statusField, statusAs }: ZamtelSettings,
  code: string,
  more: Readonly<Record<string, string>> = {},
): PlainAnswer {
  const isNumber = statusAs === 'number' && /^-?\d+$/.test(code);
  const message = MESSAGES[code] ?? 'Failed';
  return answerJson(200, { [statusField]: isNumber ? Number(code) : code, message, ...more });
}
