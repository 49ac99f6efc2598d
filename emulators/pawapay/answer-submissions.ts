import {
  type Answer,
  answerJson,
  type OperatorRequest,
  type PlainAnswer,
} from '../kernel/answer.ts';
import type { Payout } from '../kernel/behaviour.ts';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import { isJsonObject } from '../kernel/read-json-object.ts';
import { requireJson, requireSignature } from './admit-request.ts';
import { answerRejection, spoiledAnswers } from './answers.ts';
import { failureReason, Rejection } from './failure-codes.ts';
import { readJson } from './json-object.ts';
import type { MerchantAccount } from './merchant-account.ts';
import { writeCreated } from './payout-details.ts';
import { type PayoutRequest, readPayoutRequest } from './payout-request.ts';
import { takePayout } from './take-payout.ts';

const BULK_PAYOUTS_MAX = 20;

/** `POST /v2/payouts` */
export async function answerPayout(
  account: MerchantAccount,
  context: EmulatorContext,
  request: OperatorRequest,
): Promise<Answer> {
  const payoutRequest = readPayoutRequest(readSubmitted(account, context, request));
  const { decision, payout } = await decide(account, context, payoutRequest);
  const answer = answerDecision(account, payoutRequest.payoutId, decision);
  return payout === null ? answer : { ...answer, submission: spoiledAnswers(account, payout) };
}

/** The checks before the body is parsed. */
function readSubmitted(
  account: MerchantAccount,
  context: EmulatorContext,
  request: OperatorRequest,
): unknown {
  requireSignature(account, request, context.now());
  if (!account.payoutsAllowed) throw new Rejection('PAYOUTS_NOT_ALLOWED');
  requireJson(request);
  return readJson(request.body);
}

type Decision =
  | Readonly<{ status: 'ACCEPTED' | 'DUPLICATE_IGNORED'; created: string }>
  | Readonly<{ status: 'REJECTED'; rejection: Rejection }>;

type Decided = Readonly<{ decision: Decision; payout: Payout | null }>;

async function decide(
  account: MerchantAccount,
  context: EmulatorContext,
  request: PayoutRequest,
): Promise<Decided> {
  try {
    const taken = await takePayout(account, context, request);
    switch (taken.kind) {
      case 'accepted': {
        const decision = { status: 'ACCEPTED', created: writeCreated(taken.details) } as const;
        return { decision, payout: taken.payout };
      }
      case 'duplicate': {
        const created = writeCreated(taken.details);
        return { decision: { status: 'DUPLICATE_IGNORED', created }, payout: null };
      }
      case 'refused':
        return rejected(new Rejection(taken.code), taken.payout);
      default: {
        const unhandled: never = taken;
        throw new Error(`unhandled ${String(unhandled)}`);
      }
    }
  } catch (error) {
    if (error instanceof Rejection) return rejected(error, null);
    throw error;
  }
}

function rejected(rejection: Rejection, payout: Payout | null): Decided {
  return { decision: { status: 'REJECTED', rejection }, payout };
}

function answerDecision(
  account: MerchantAccount,
  payoutId: string,
  decision: Decision,
): PlainAnswer {
  return decision.status === 'REJECTED'
    ? answerRejection(account, decision.rejection, payoutId)
    : answerJson(200, { payoutId, ...decision });
}

/** `POST /v2/payouts/bulk`: decides each payout independently, like single ones. */
export async function answerBulk(
  account: MerchantAccount,
  context: EmulatorContext,
  request: OperatorRequest,
): Promise<Answer> {
  const items = readSubmitted(account, context, request);
  if (!Array.isArray(items) || items.length === 0 || items.length > BULK_PAYOUTS_MAX) {
    throw new Rejection('INVALID_INPUT', `The body is not a list of 1 to ${BULK_PAYOUTS_MAX}.`);
  }
  const all = await Promise.all(items.map((item) => decideItem(account, context, item)));
  const answer = answerJson(200, all.map(describeItem));
  const payouts = all.flatMap(({ payout }) => (payout === null ? [] : [payout]));
  // There is only one answer, so the behaviour of one payout decides its fault.
  const spoiler = payouts.find(({ behaviour }) => behaviour.answer !== 'normal') ?? payouts[0];
  for (const payout of payouts) if (payout !== spoiler) context.backend.answered(payout);
  return spoiler === undefined
    ? answer
    : { ...answer, submission: spoiledAnswers(account, spoiler) };
}

type DecidedItem = Decided & Readonly<{ payoutId: string | undefined }>;

async function decideItem(
  account: MerchantAccount,
  context: EmulatorContext,
  item: unknown,
): Promise<DecidedItem> {
  const written = isJsonObject(item) ? item.payoutId : undefined;
  const payoutId = typeof written === 'string' ? written : undefined;
  try {
    const request = readPayoutRequest(item);
    return { ...(await decide(account, context, request)), payoutId: request.payoutId };
  } catch (error) {
    if (error instanceof Rejection) return { ...rejected(error, null), payoutId };
    throw error;
  }
}

function describeItem({ payoutId, decision }: DecidedItem) {
  const named = payoutId === undefined ? {} : { payoutId };
  if (decision.status !== 'REJECTED') return { ...named, ...decision };
  const { code, message } = decision.rejection;
  return { ...named, status: decision.status, failureReason: failureReason(code, message) };
}
