import { readAmount } from '../../format/read-amount.ts';
import { instantOf } from '../../format/zoned-time.ts';

/** What the reader has typed. Nothing typed is lost by an error. */
export type PayForm = Readonly<{
  walletId: string;
  phone: string;
  /** Chosen by the reader; empty: as the number says. */
  operator: string;
  name: string;
  amount: string;
  reference: string;
  narration: string;
  /** As the browser's field has it, in the reader's zone; empty: at once. */
  sendAt: string;
}>;

/** The body of the order, as far as it is filled in. */
export function toOrder(
  form: PayForm,
  {
    operator,
    country,
    timeZone,
  }: Readonly<{ operator: string; country: string; timeZone: string }>,
): Readonly<Record<string, string | number>> {
  const { amount } = readAmount(form.amount);
  const texts = {
    walletId: form.walletId,
    phone: form.phone.trim(),
    operator,
    country,
    recipientName: form.name.trim(),
    reference: form.reference.trim(),
    narration: form.narration.trim(),
    // An invalid time is sent unchanged: the service refuses it. Left out, the payout would be sent at once.
    sendAt:
      form.sendAt === '' ? '' : (instantOf(form.sendAt, timeZone)?.toISOString() ?? form.sendAt),
  };
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
    ...(amount === undefined ? {} : { amount: Number(amount) }),
  };
}

const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const REFERENCE_LETTERS = 8;

/** Letters that people do not confuse when they read them to each other. */
export function makeReference(day: string, randomBytes: Uint8Array): string {
  const letters = Array.from(
    randomBytes.subarray(0, REFERENCE_LETTERS),
    (byte) => LETTERS[byte % LETTERS.length],
  );
  return `PAY-${day.replaceAll('-', '')}-${letters.join('')}`;
}
