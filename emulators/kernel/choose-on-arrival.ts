import type { Chooser } from './choose-behaviour.ts';
import type { NamedBehaviour, OperatorBackend } from './operator-backend.ts';
import { PRESETS } from './presets.ts';

export type ChosenOnArrival = Readonly<{
  chosen: NamedBehaviour;
  /** The code with which it is turned away: the operator does not take it, and forgets it. */
  rejectedWith: string | null;
}>;

/**
 * The backend remembers what was refused and says so when it is asked. But some codes mean that a
 * payout never got as far as the backend, for want of a PIN or a header: no enquiry knows it, and the
 * same reference may come again. Those are sorted out here.
 */
export function chooseOnArrival(
  { backend, chooser }: Readonly<{ backend: OperatorBackend; chooser: Chooser }>,
  payout: Readonly<{ msisdn: string; amountMinor: bigint; currency: string }>,
  isArrivalCode: (refusal: string) => boolean,
): ChosenOnArrival {
  const chosen = chooseWithinFloat({ backend, chooser }, payout);
  const { execute, refusal } = chosen.behaviour;
  if (execute !== 'never' || refusal === null || !isArrivalCode(refusal)) {
    return { chosen, rejectedWith: null };
  }
  const behaviour = { ...chosen.behaviour, refusal: null };
  return { chosen: { name: chosen.name, behaviour }, rejectedWith: refusal };
}

/** As the backend itself would choose. */
function chooseWithinFloat(
  { backend, chooser }: Readonly<{ backend: OperatorBackend; chooser: Chooser }>,
  { msisdn, amountMinor, currency }: Readonly<Parameters<typeof chooseOnArrival>[1]>,
): NamedBehaviour {
  const { source, name, behaviour } = chooser.choose(msisdn);
  if (source === 'default' && backend.accountName(msisdn) === null) {
    return { name: 'reject', behaviour: PRESETS.reject };
  }
  if (behaviour.execute === 'never' || amountMinor <= backend.balanceMinor(currency)) {
    return { name, behaviour };
  }
  const refused = { execute: 'never', refusal: 'float-insufficient' } as const;
  return { name: 'float-insufficient', behaviour: { ...behaviour, ...refused } };
}
