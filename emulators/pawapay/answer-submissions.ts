import {
  type Answer,
  answerJson,
  type OperatorRequest,
  type PlainAnswer,
} from '../kernel/answer.ts';
import type { Payout } from '../kernel/behaviour.ts';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import { requireJson, requireSignature } from './admit-request.ts';
import { answerRejection, spoiledAnswers } from './answers.ts';
import { Rejection } from './failure-codes.ts';
import { readJson } from './json-object.ts';
import type { MerchantAccount } from './merchant-account.ts';
import { writeCreated } from './payout-details.ts';
import { type PayoutRequest, readPayoutRequest } from './payout-request.ts';
import { takePayout } from './take-payout.ts';

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
