import type { Payout } from '../kernel/behaviour.ts';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import type { Submission } from '../kernel/operator-backend.ts';
import { readAmount } from './amounts.ts';
import { type InitiationCode, Rejection, readRefusal } from './failure-codes.ts';
import { type MerchantAccount, statusOfProvider } from './merchant-account.ts';
import { detailsOf, type PayoutDetails, readDetails } from './payout-details.ts';
import { orderPayout, type PayoutOrder } from './payout-order.ts';
import { canWait, chooseForLater, enqueue } from './payout-queue.ts';
import type { PayoutRequest } from './payout-request.ts';
import type { Provider } from './providers.ts';
import { wasRejectedOnArrival } from './report-payout.ts';
import { steerBySandbox } from './sandbox-numbers.ts';
import { sendPayoutCallbacks } from './send-payout-callbacks.ts';

/** The result of a submission. `payout` is set where its behaviour may replace the answer. */
type Taken =
  | Readonly<{ kind: 'duplicate'; details: PayoutDetails }>
  | Readonly<{ kind: 'accepted'; details: PayoutDetails; payout: Payout }>
  | Readonly<{ kind: 'refused'; code: InitiationCode; payout: Payout | null }>;

/** Nothing is awaited before the id is registered, so that of two concurrent submissions one is a duplicate. */
export async function takePayout(
  account: MerchantAccount,
  context: EmulatorContext,
  request: PayoutRequest,
): Promise<Taken> {
  const known = findKnown(account, context, request.payoutId);
  if (known !== undefined) {
    await context.backend.recordDuplicate(orderedBy(account, request));
    return known;
  }
  const statusOf = (provider: Provider) => statusOfProvider(account, provider);
  const order = orderPayout({ providers: account.providers, statusOf }, request);
  if (order.amountMinor > spendableMinor(account, context, request.currency)) {
    throw new Rejection('PAWAPAY_WALLET_OUT_OF_FUNDS');
  }
  const details = detailsOf(order, context.now());
  const submission = submissionOf(account, order, details);
  if (statusOf(order.provider) !== 'DELAYED') return submit(account, context, submission);
  const behaviour = submission.steered ?? chooseForLater(context, request.phoneNumber);
  if (!canWait(behaviour.behaviour)) {
    return submit(account, context, { ...submission, steered: behaviour });
  }
  const { payoutId, phoneNumber, currency } = request;
  const { amountMinor } = order;
  const waiting = { payoutId, phoneNumber, amountMinor, currency, details, behaviour };
  return { kind: 'accepted', details, payout: await enqueue(account, context, waiting) };
}

function findKnown(
  account: MerchantAccount,
  context: EmulatorContext,
  payoutId: string,
): Taken | undefined {
  const payout = context.backend.find(payoutId);
  if (payout === undefined) {
    const waiting = account.enqueued.find(payoutId);
    return waiting && { kind: 'duplicate', details: waiting.details };
  }
  return wasRejectedOnArrival(payout)
    ? { kind: 'refused', code: arrivalCodeOf(payout), payout: null }
    : { kind: 'duplicate', details: readDetails(payout) };
}

/** The content of a repeated submission; an unreadable amount counts as none. */
function orderedBy({ providers }: MerchantAccount, request: PayoutRequest) {
  const { payoutId, phoneNumber, currency, amount } = request;
  const provider = providers.find((known) => known.provider === request.provider);
  const amountMinor = provider && readAmount(amount, provider.decimalsInAmount);
  return { ourReference: payoutId, msisdn: phoneNumber, currency, amountMinor: amountMinor ?? 0n };
}

/** The balance less the money reserved for enqueued payouts. */
export function spendableMinor(
  { enqueued }: MerchantAccount,
  { backend }: EmulatorContext,
  currency: string,
): bigint {
  return backend.balanceMinor(currency) - enqueued.reservedMinor(currency);
}

function submissionOf(
  account: MerchantAccount,
  { request, amountMinor }: PayoutOrder,
  details: PayoutDetails,
): Submission {
  const { payoutId, phoneNumber, currency } = request;
  const steered = account.usesSandboxNumbers ? steerBySandbox(request) : undefined;
  return {
    ourReference: payoutId,
    msisdn: phoneNumber,
    amountMinor,
    currency,
    extra: details,
    pendingMsMin: account.processingMs,
    ...(steered === undefined ? {} : { steered }),
  };
}

async function submit(
  account: MerchantAccount,
  context: EmulatorContext,
  submission: Submission,
): Promise<Taken> {
  const { kind, payout } = await context.backend.submit(submission);
  if (kind === 'duplicate') return { kind, details: readDetails(payout) };
  if (wasRejectedOnArrival(payout)) return { kind: 'refused', code: arrivalCodeOf(payout), payout };
  await sendPayoutCallbacks(account, context, payout);
  return { kind: 'accepted', details: readDetails(payout), payout };
}

function arrivalCodeOf({ behaviour }: Payout): InitiationCode {
  const refusal = readRefusal(behaviour.refusal ?? '');
  if (refusal.at !== 'arrival') throw new Error(`${refusal.code} is not a refusal on arrival`);
  return refusal.code;
}
