import type { Chooser } from './choose-behaviour.ts';
import type { NamedBehaviour, OperatorBackend } from './operator-backend.ts';
import { PRESETS } from './presets.ts';

export type ChosenOnArrival = Readonly<{
  chosen: NamedBehaviour;
  /** The code with which it is refused on arrival; the operator stores nothing. Null: it is accepted. */
  rejectedWith: string | null;
}>;

/**
 * The backend stores a refused payout and reports it to inquiries. But some codes mean that a request
 * did not reach the backend, for example because a PIN or a header was missing: no inquiry finds it,
 * and its reference can be used again. This function separates those codes.
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

/** Chooses as the backend itself would. */
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
