import { answerJson, type PlainAnswer } from '../kernel/answer.ts';
import type { Payout } from '../kernel/behaviour.ts';
import { writeDecimalAmount } from '../kernel/decimal-amount.ts';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import type { Notice } from '../kernel/plan-notices.ts';
import { type RefusalWord, refusalCode } from '../kernel/refusal-words.ts';
import type { MtnAccess } from './mtn-access.ts';
import { badRequest, messageOf, refuse } from './mtn-errors.ts';
import type { MtnSettings } from './mtn-settings.ts';
import { isUuidV4 } from './uuid-v4.ts';

type ReportedStatus = Readonly<{
  status: 'pending' | 'paid' | 'failed';
  refusal: string | null;
  amountMinor: bigint;
  msisdn: string;
}>;

const STATUSES = { pending: 'PENDING', paid: 'SUCCESSFUL', failed: 'FAILED' } as const;
const CODES: Readonly<Record<RefusalWord, string>> = {
  'recipient-not-found': 'PAYEE_NOT_FOUND',
  'recipient-limit': 'PAYEE_LIMIT_REACHED',
  'float-insufficient': 'NOT_ENOUGH_FUNDS',
  declined: 'PAYEE_NOT_ALLOWED_TO_RECEIVE',
};
const SAFE_NUMBER = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,2})?$/;

/** The code with which the submission is refused; null: the payout is accepted first. */
export function refusedAtOnce({ refusals }: MtnSettings, { behaviour }: Payout): string | null {
  const { execute, refusal, pendingMs } = behaviour;
  if (refusals !== 'onSubmit' || execute !== 'never' || refusal === null) return null;
  return pendingMs > 0 ? null : refusalCode(refusal, CODES);
}

/** GET /disbursement/v1_0/{operation}/{referenceId} */
export function answerStatus(
  access: MtnAccess,
  { backend }: EmulatorContext,
  { operation, reference }: Readonly<{ operation: string; reference: string }>,
): PlainAnswer {
  if (!isUuidV4(reference)) return badRequest('The reference is not a UUID of version 4.');
  const payout = backend.find(reference.toLowerCase());
  if (payout === undefined || payout.extra['operation'] !== operation) {
    return refuse('RESOURCE_NOT_FOUND');
  }
  if (refusedAtOnce(access.settings, payout) !== null) return refuse('RESOURCE_NOT_FOUND');
  const inquiry = backend.inquire(payout);
  if (inquiry.kind === 'down') return refuse('SERVICE_UNAVAILABLE');
  if (inquiry.kind === 'unknown') return refuse('RESOURCE_NOT_FOUND');
  return answerJson(200, render(access.settings, payout, inquiry));
}

function render(
  settings: MtnSettings,
  payout: Payout,
  reported: ReportedStatus,
): Record<string, unknown> {
  const { extra } = payout;
  const quote = (text: string) =>
    settings.numbersUnquoted && SAFE_NUMBER.test(text) ? Number(text) : text;
  const isTrueAmount = reported.amountMinor === payout.amountMinor;
  const amount = isTrueAmount ? textOf(payout, 'amount') : writeDecimalAmount(reported.amountMinor);
  const { partyIdType } = extra;
  return {
    amount: quote(amount),
    currency: payout.currency,
    ...(reported.status === 'paid' ? { financialTransactionId: payout.operatorTransactionId } : {}),
    externalId: quote(textOf(payout, 'externalId')),
    ...(partyIdType === undefined
      ? {}
      : { payee: { partyIdType, partyId: quote(reported.msisdn) } }),
    payerMessage: extra['payerMessage'],
    payeeNote: extra['payeeNote'],
    status: STATUSES[reported.status],
    ...(reported.status === 'failed' ? { reason: renderReason(settings, reported.refusal) } : {}),
  };
}

function textOf({ extra }: Payout, name: string): string {
  const value = extra[name];
  return typeof value === 'string' ? value : '';
}

function renderReason({ reasonAs }: MtnSettings, refusal: string | null): unknown {
  const code = refusalCode(refusal ?? 'declined', CODES);
  return reasonAs === 'text' ? code : { code, message: messageOf(code) };
}

/** Sends the callbacks of one payout when they are due. They are unsigned, like the real ones. */
export function listenForCallbacks(
  settings: MtnSettings,
  payout: Payout,
  context: EmulatorContext,
): Promise<void> {
  const url = payout.extra['callbackUrl'];
  if (typeof url !== 'string') return Promise.resolve();
  return context.backend.onEnd(payout, async (notice) => {
    await context.sendCallback({
      method: settings.callbackMethod,
      url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(renderNotice(settings, payout, notice, context)),
    });
  });
}

function renderNotice(
  settings: MtnSettings,
  payout: Payout,
  { says, ourReference }: Notice,
  { backend }: EmulatorContext,
): Record<string, unknown> {
  const refusal = says === 'failed' ? backend.refusalOf(payout) : null;
  const body = render(settings, payout, { status: says, refusal, ...backend.reportOf(payout) });
  // A forged callback about an invented payout does not contain the real payout's references.
  const isInvented = ourReference !== payout.ourReference;
  return {
    ...body,
    ...(isInvented ? { externalId: ourReference } : {}),
    ...(settings.callbackCarriesReference ? { referenceId: ourReference } : {}),
  };
}
