import type { Answer, OperatorRequest, PlainAnswer } from '../kernel/answer.ts';
import type { Payout } from '../kernel/behaviour.ts';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import type { Submission } from '../kernel/operator-backend.ts';
import { PRESETS } from '../kernel/presets.ts';
import { type ApiUser, header, type MtnAccess, TOKEN_EXPIRED } from './mtn-access.ts';
import { badRequest, refuse } from './mtn-errors.ts';
import {
  type MtnOrder,
  type Payee,
  type Read,
  readBody,
  readOrder,
  readPayee,
  readReferenceToRefund,
} from './mtn-order.ts';
import { type MtnSettings, SANDBOX } from './mtn-settings.ts';
import { listenForCallbacks, refusedAtOnce } from './mtn-status.ts';
import { steerPayout } from './mtn-steering.ts';
import { isUuidV4 } from './uuid-v4.ts';

export type MtnOperation = 'transfer' | 'deposit' | 'refund';

type Caller = Readonly<{ access: MtnAccess; user: ApiUser; context: EmulatorContext }>;

const ACCEPTED: PlainAnswer = { status: 202 };

/** POST /disbursement/{version}/{transfer|deposit|refund} */
export async function submitOrder(
  { access, user, context }: Caller,
  operation: MtnOperation,
  request: OperatorRequest,
): Promise<Answer> {
  const { settings } = access;
  const reference = header(request.headers, 'x-reference-id') ?? '';
  if (!isUuidV4(reference)) return badRequest('X-Reference-Id is not a UUID of version 4.');
  const callbackUrl = header(request.headers, 'x-callback-url');
  const badCallback = refuseCallbackUrl(settings, user, callbackUrl);
  if (badCallback !== null) return badCallback;
  const read = readSubmission(settings, operation, request);
  if (read.kind === 'refused') return read.answer;
  const { kind, payout } = await context.backend.submit({
    ...read.value,
    ourReference: reference.toLowerCase(),
    extra: { ...read.value.extra, ...(callbackUrl === undefined ? {} : { callbackUrl }) },
    pendingMsMin: settings.pendingMs,
  });
  const refusal = refusedAtOnce(settings, payout);
  // A submission that was refused created nothing, so its reference is unused and is refused again the same way.
  if (kind === 'duplicate' && refusal === null) return refuse('RESOURCE_ALREADY_EXIST');
  if (refusal === null) await listenForCallbacks(settings, payout, context);
  return {
    ...(refusal === null ? ACCEPTED : refuse(refusal)),
    submission: {
      payout,
      http500: refuse(brokenDownCode(payout)),
      http400: badRequest('Bad Request'),
      tokenExpired: TOKEN_EXPIRED,
    },
  };
}

/**
 * The code of a platform that broke down after it accepted an order. For numbers that end in an odd digit it is a
 * code that is otherwise final, so that tests catch a client that takes the code of a server error for the outcome.
 */
function brokenDownCode({ msisdn }: Payout): string {
  return isOdd(msisdn) ? 'NOT_ENOUGH_FUNDS' : 'INTERNAL_PROCESSING_ERROR';
}

function isOdd(msisdn: string): boolean {
  return Number(msisdn.slice(-1)) % 2 === 1;
}

/** Accepts only the registered host name, never an IP address, in the scheme of the environment. */
function refuseCallbackUrl(
  { callbackScheme }: MtnSettings,
  { providerCallbackHost }: ApiUser,
  callbackUrl: string | undefined,
): PlainAnswer | null {
  if (callbackUrl === undefined) return null;
  const url = URL.parse(callbackUrl);
  if (url === null) return badRequest('X-Callback-Url is not a URL.');
  const isScheme = callbackScheme === 'any' || url.protocol === `${callbackScheme}:`;
  if (isScheme && url.hostname === providerCallbackHost.toLowerCase()) return null;
  return refuse('INVALID_CALLBACK_URL_HOST');
}

type SubmissionPart = Omit<Submission, 'ourReference'>;

function readSubmission(
  settings: MtnSettings,
  operation: MtnOperation,
  { body, headers }: OperatorRequest,
): Read<SubmissionPart> {
  const fields = readBody(body, header(headers, 'content-type') ?? '');
  if (fields.kind === 'refused') return fields;
  const order = readOrder(settings, fields.value);
  if (order.kind === 'refused') return order;
  if (operation === 'refund') {
    const original = readReferenceToRefund(fields.value['referenceIdToRefund']);
    if (original.kind === 'refused') return original;
    return { kind: 'read', value: refundOf(order.value) };
  }
  const payee = readPayee(fields.value['payee']);
  if (payee.kind === 'refused') return payee;
  return { kind: 'read', value: payoutTo(settings, operation, order.value, payee.value) };
}

function payoutTo(
  { targetEnvironment }: MtnSettings,
  operation: 'transfer' | 'deposit',
  order: MtnOrder,
  { partyIdType, partyId }: Payee,
): SubmissionPart {
  const { amountMinor, currency, ...texts } = order;
  const steered = targetEnvironment === SANDBOX ? steerPayout(operation, partyId) : undefined;
  return {
    msisdn: partyId,
    amountMinor,
    currency,
    extra: { ...texts, operation, partyIdType },
    ...(steered === undefined ? {} : { steered }),
  };
}

/** The emulator never charges a payer, so every refund finds nothing to give back. */
function refundOf({ amountMinor, currency, ...texts }: MtnOrder): SubmissionPart {
  const behaviour = { ...PRESETS.reject, refusal: 'RESOURCE_NOT_FOUND' };
  return {
    msisdn: '',
    amountMinor,
    currency,
    extra: { ...texts, operation: 'refund' },
    steered: { name: 'refund-of-nothing', behaviour },
  };
}
