import type { PlainAnswer } from '../kernel/answer.ts';
import { answerJson } from '../kernel/answer.ts';
import type { NamedBehaviour } from '../kernel/operator-backend.ts';
import { PRESETS } from '../kernel/presets.ts';
import { refuse } from './mtn-errors.ts';

/** The outcomes of the sandbox's special numbers, by their last three digits. */
type Steering = Readonly<Record<string, string>>;

const STEERING_PREFIX = '46733123';
const ONGOING_MS = 30_000;

const TRANSFERS: Steering = {
  '450': 'INTERNAL_PROCESSING_ERROR',
  '451': 'APPROVAL_REJECTED',
  '452': 'EXPIRED',
  '453': 'ongoing',
  '454': 'delayed',
  '455': 'NOT_ENOUGH_FUNDS',
  '456': 'PAYER_LIMIT_REACHED',
  '457': 'PAYEE_NOT_FOUND',
  '458': 'NOT_ALLOWED',
  '459': 'NOT_ALLOWED_TARGET_ENVIRONMENT',
  '460': 'INVALID_CALLBACK_URL_HOST',
  '461': 'INVALID_CURRENCY',
  '462': 'INTERNAL_PROCESSING_ERROR',
  '463': 'SERVICE_UNAVAILABLE',
  '464': 'TRANSFER_TYPE_UNKNOWN',
};
const DEPOSITS: Steering = {
  '450': 'INTERNAL_PROCESSING_ERROR',
  '451': 'APPROVAL_REJECTED',
  '452': 'EXPIRED',
  '453': 'ongoing',
  '454': 'delayed',
  '455': 'PAYER_NOT_FOUND',
  '456': 'PAYEE_NOT_ALLOWED_TO_RECEIVE',
  '457': 'NOT_ALLOWED',
  '458': 'NOT_ALLOWED_TARGET_ENVIRONMENT',
  '459': 'INVALID_CALLBACK_URL_HOST',
  '460': 'INVALID_CURRENCY',
  '461': 'INTERNAL_PROCESSING_ERROR',
  '462': 'SERVICE_UNAVAILABLE',
  '463': 'COULD_NOT_PERFORM_TRANSACTION',
};
const HOLDERS: Readonly<Record<string, PlainAnswer>> = {
  '450': refuse('RESOURCE_NOT_FOUND'),
  '451': answerJson(200, { result: false }),
  '452': refuse('NOT_ALLOWED'),
  '453': refuse('NOT_ALLOWED_TARGET_ENVIRONMENT'),
  '454': refuse('INTERNAL_PROCESSING_ERROR'),
  '455': refuse('SERVICE_UNAVAILABLE'),
};

function endOf(number: string): string {
  return number.startsWith(STEERING_PREFIX) ? number.slice(STEERING_PREFIX.length) : '';
}

/** The behaviour of a special sandbox number; undefined for an ordinary number. */
export function steerPayout(
  operation: 'transfer' | 'deposit',
  msisdn: string,
): NamedBehaviour | undefined {
  const steering = (operation === 'transfer' ? TRANSFERS : DEPOSITS)[endOf(msisdn)];
  if (steering === undefined) return undefined;
  const name = `sandbox-${endOf(msisdn)}`;
  if (steering === 'ongoing') return { name, behaviour: { ...PRESETS.ok, pendingMs: ONGOING_MS } };
  if (steering === 'delayed') return { name, behaviour: PRESETS['pending-for-ever'] };
  return { name, behaviour: { ...PRESETS.reject, refusal: steering } };
}

/** The account holder answer of a special sandbox number. */
export function steerHolder(number: string): PlainAnswer | undefined {
  return HOLDERS[endOf(number)];
}
