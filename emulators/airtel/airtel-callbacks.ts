import { createHmac, randomBytes } from 'node:crypto';
import type { Payout } from '../kernel/behaviour.ts';
import { writeDecimalAmount } from '../kernel/decimal-amount.ts';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import type { Notice } from '../kernel/plan-notices.ts';
import type { AirtelSettings, AirtelState } from './airtel-state.ts';
import { nationalNumber } from './check-caller.ts';

type Transaction = Readonly<{
  id: string;
  message: string;
  status_code: 'TS' | 'TF' | 'TIP';
  airtel_money_id: string;
}>;

const STATUS_CODES = { paid: 'TS', failed: 'TF', pending: 'TIP' } as const;

/**
 * Callbacks go to the URL in the application's settings at that moment. Without a URL none are sent,
 * as the operator documents for payouts.
 */
export async function listenForEnd(
  state: AirtelState,
  { backend, sendCallback }: EmulatorContext,
  payout: Payout,
): Promise<void> {
  await backend.onEnd(payout, async (notice) => {
    const url = state.callbackUrl;
    if (url === null) return;
    const { amountMinor, msisdn } = backend.reportOf(payout);
    const transaction = describe(notice, { ...payout, amountMinor, msisdn });
    const privateKey = notice.forged
      ? randomBytes(16).toString('hex')
      : state.credentials.callbackPrivateKey;
    const signed = signCallback(transaction, privateKey, state.settings.callback);
    await sendCallback({ method: 'POST', url, ...signed });
  });
}

function describe(notice: Notice, payout: Payout): Transaction {
  const { currency, amountMinor, msisdn, operatorTransactionId } = payout;
  const what = `${currency} ${writeDecimalAmount(amountMinor)} to ${nationalNumber(msisdn)}`;
  const messages = {
    paid: `Paid ${what} Trans ID ${operatorTransactionId}`,
    failed: `Not paid: ${what}`,
    pending: `In process: ${what}`,
  };
  return {
    id: notice.ourReference,
    message: messages[notice.says],
    status_code: STATUS_CODES[notice.says],
    airtel_money_id: operatorTransactionId,
  };
}

/** The documents do not say whether the HMAC covers the body without `hash` or only the transaction. */
function signCallback(
  transaction: Transaction,
  privateKey: string,
  { authenticated, hashCovers, hashIn }: AirtelSettings['callback'],
): Readonly<{ headers: Readonly<Record<string, string>>; body: string }> {
  const headers = { 'content-type': 'application/json' };
  const unsigned = JSON.stringify({ transaction });
  if (!authenticated) return { headers, body: unsigned };
  const covered = hashCovers === 'body' ? unsigned : JSON.stringify(transaction);
  const hash = createHmac('sha256', privateKey).update(covered).digest('base64');
  if (hashIn === 'header') return { headers: { ...headers, hash }, body: unsigned };
  return { headers, body: JSON.stringify({ transaction, hash }) };
}
