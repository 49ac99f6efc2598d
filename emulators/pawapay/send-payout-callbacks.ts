import type { Payout } from '../kernel/behaviour.ts';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import type { Notice } from '../kernel/plan-notices.ts';
import { createPawapayCredentials, privateKeyOf } from './credentials.ts';
import type { MerchantAccount } from './merchant-account.ts';
import { describePayout } from './payout-details.ts';
import { type ReportedState, reportAs, wasRejectedOnArrival } from './report-payout.ts';
import { signMessage } from './signatures/sign-message.ts';

/** Delays after the first attempt; all retries fall within the documented 15 minutes. */
const RETRY_DELAYS_MS: readonly number[] = [
  5_000, 15_000, 30_000, 60_000, 120_000, 120_000, 120_000, 120_000, 120_000, 120_000,
];
const DELIVERED = 200;
const CONTENT_TYPE = 'application/json; charset=UTF-8';

/** Registers the listener that sends the payout's callbacks. Await it before the submission is answered. */
export async function sendPayoutCallbacks(
  account: MerchantAccount,
  context: EmulatorContext,
  payout: Payout,
): Promise<void> {
  if (wasRejectedOnArrival(payout)) return;
  await context.backend.onEnd(payout, (notice) => sendNotice(account, context, payout, notice));
}

/** Resolves after the first attempt; retries run in the background. */
export async function sendEnd(
  account: MerchantAccount,
  context: EmulatorContext,
  payout: Payout,
  said: ReportedState,
): Promise<void> {
  const notice = { ourReference: payout.ourReference, says: said, forged: false };
  await sendNotice(account, context, payout, notice);
}

async function sendNotice(
  account: MerchantAccount,
  context: EmulatorContext,
  payout: Payout,
  notice: Notice,
): Promise<void> {
  const { ourReference, says, forged } = notice;
  const report = { ...reportAs(context, payout, says), payoutId: ourReference };
  const body = JSON.stringify(describePayout(report));
  // A forger sends once and has no key: it invents a signature for a payout that exists, and sends none otherwise.
  const forgedSignature = ourReference === payout.ourReference ? 'badly' : 'not';
  const signed = account.signedCallbacks ? (forged ? forgedSignature : 'well') : 'not';
  await deliver(account, context, { body, signed, retryDelaysMs: forged ? [] : RETRY_DELAYS_MS });
}

type Delivery = Readonly<{
  body: string;
  signed: 'well' | 'badly' | 'not';
  retryDelaysMs: readonly number[];
}>;

async function deliver(
  account: MerchantAccount,
  context: EmulatorContext,
  delivery: Delivery,
): Promise<void> {
  const { callbackUrl: url } = account;
  if (url === null || account.closed) return;
  const { body } = delivery;
  // Every attempt is signed again, because a signature is valid for one minute.
  const headers = headersOf(account, delivery, { url: new URL(url), now: new Date(context.now()) });
  const { status } = await context.sendCallback({ method: 'POST', url, headers, body });
  const [delayMs, ...retryDelaysMs] = delivery.retryDelaysMs;
  if (status === DELIVERED || delayMs === undefined || account.closed) return;
  const again = () => void deliver(account, context, { ...delivery, retryDelaysMs });
  context.setTimer(again, delayMs * context.timeScale);
}

function headersOf(
  account: MerchantAccount,
  { body, signed }: Delivery,
  { url, now }: Readonly<{ url: URL; now: Date }>,
): Readonly<Record<string, string>> {
  if (signed === 'not') return { 'content-type': CONTENT_TYPE };
  const message = {
    method: 'POST',
    authority: url.host,
    path: url.pathname,
    contentType: CONTENT_TYPE,
    body: Buffer.from(body),
  };
  return signMessage(
    signed === 'well' ? account.callbackSigner : unknownSignerFor(account),
    message,
    now,
  );
}

/** A signer with pawaPay's key id but another key. */
function unknownSignerFor({ callbackSigner }: MerchantAccount) {
  const { callbackKey } = createPawapayCredentials({ callbackAlgorithm: callbackSigner.algorithm });
  return { ...callbackSigner, privateKey: privateKeyOf(callbackKey) };
}
