import type { Behaviour, Payout } from '../kernel/behaviour.ts';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import type { NamedBehaviour } from '../kernel/operator-backend.ts';
import { PRESETS } from '../kernel/presets.ts';
import type { EnqueuedPayout } from './enqueued-payouts.ts';
import { readRefusal } from './failure-codes.ts';
import { type MerchantAccount, statusOfProvider } from './merchant-account.ts';
import { endWith } from './sandbox-numbers.ts';
import { sendPayoutCallbacks } from './send-payout-callbacks.ts';

/** Chooses the behaviour that the payout has once its provider works again. */
export function chooseForLater(
  { chooser, backend }: EmulatorContext,
  phoneNumber: string,
): NamedBehaviour {
  const { source, name, behaviour } = chooser.choose(phoneNumber);
  const hasNoAccount = source === 'default' && backend.accountName(phoneNumber) === null;
  return hasNoAccount ? { name: 'reject', behaviour: PRESETS.reject } : { name, behaviour };
}

/** A payout that is lost or refused on arrival is not enqueued. */
export function canWait({ execute, refusal }: Behaviour): boolean {
  if (execute !== 'never') return true;
  return refusal !== null && readRefusal(refusal).at === 'end';
}

/** Enqueues the payout. The returned payout is used only so that its behaviour can replace the answer. */
export async function enqueue(
  account: MerchantAccount,
  context: EmulatorContext,
  waiting: EnqueuedPayout,
): Promise<Payout> {
  await account.enqueued.add(waiting);
  return {
    id: waiting.payoutId,
    ourReference: waiting.payoutId,
    msisdn: waiting.phoneNumber,
    amountMinor: waiting.amountMinor,
    currency: waiting.currency,
    extra: waiting.details,
    receivedAtMs: context.now(),
    pendingMs: 0,
    operatorTransactionId: '',
    behaviour: waiting.behaviour.behaviour,
    behaviourName: waiting.behaviour.name,
  };
}

/** Submits all enqueued payouts whose provider works again. */
export async function releaseQueue(
  account: MerchantAccount,
  context: EmulatorContext,
): Promise<void> {
  const { providers, enqueued } = account;
  const operational = new Set(
    providers
      .filter((provider) => statusOfProvider(account, provider) === 'OPERATIONAL')
      .map(({ provider }) => provider),
  );
  const free = enqueued.all().filter(({ details }) => operational.has(details.provider));
  const { processingMs } = account;
  await Promise.all(
    free.map((waiting) => leaveQueue(account, context, waiting, { ...waiting, processingMs })),
  );
}

export async function cancelWaiting(
  account: MerchantAccount,
  context: EmulatorContext,
  waiting: EnqueuedPayout,
): Promise<void> {
  const behaviour = { name: 'cancelled', behaviour: endWith('MANUALLY_CANCELLED') };
  await leaveQueue(account, context, waiting, { behaviour, processingMs: 0 });
}

async function leaveQueue(
  account: MerchantAccount,
  context: EmulatorContext,
  waiting: EnqueuedPayout,
  end: Readonly<{ behaviour: NamedBehaviour; processingMs: number }>,
): Promise<void> {
  const submitted = context.backend.submit({
    ourReference: waiting.payoutId,
    msisdn: waiting.phoneNumber,
    amountMinor: waiting.amountMinor,
    currency: waiting.currency,
    extra: waiting.details,
    pendingMsMin: end.processingMs,
    steered: end.behaviour,
  });
  account.enqueued.remove(waiting.payoutId);
  const { kind, payout } = await submitted;
  if (kind === 'duplicate') return;
  await sendPayoutCallbacks(account, context, payout);
  context.backend.answered(payout);
}
