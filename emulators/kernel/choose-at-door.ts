import type { Chooser } from '../kernel/choose-behaviour.ts';
import type { Desk, NamedBehaviour } from '../kernel/desk.ts';
import { PRESETS } from '../kernel/presets.ts';

export type AtTheDoor = Readonly<{
  chosen: NamedBehaviour;
  /** The code with which it is turned away: the operator does not take it, and forgets it. */
  turnedAwayWith: string | null;
}>;

/**
 * The desk remembers what was refused and says so when it is asked. But some codes mean that a
 * payout never got as far as the desk, for want of a PIN or a header: no enquiry knows it, and the
 * same reference may come again. Those are sorted out here.
 */
export function chooseAtDoor(
  { desk, chooser }: Readonly<{ desk: Desk; chooser: Chooser }>,
  payout: Readonly<{ msisdn: string; amountMinor: bigint; currency: string }>,
  isDoorCode: (refusal: string) => boolean,
): AtTheDoor {
  const chosen = chooseWithinFloat({ desk, chooser }, payout);
  const { execute, refusal } = chosen.behaviour;
  if (execute !== 'never' || refusal === null || !isDoorCode(refusal)) {
    return { chosen, turnedAwayWith: null };
  }
  const behaviour = { ...chosen.behaviour, refusal: null };
  return { chosen: { name: chosen.name, behaviour }, turnedAwayWith: refusal };
}

/** As the desk itself would choose. */
function chooseWithinFloat(
  { desk, chooser }: Readonly<{ desk: Desk; chooser: Chooser }>,
  { msisdn, amountMinor, currency }: Readonly<Parameters<typeof chooseAtDoor>[1]>,
): NamedBehaviour {
  const { source, name, behaviour } = chooser.choose(msisdn);
  if (source === 'default' && desk.accountName(msisdn) === null) {
    return { name: 'reject', behaviour: PRESETS.reject };
  }
  if (behaviour.execute === 'never' || amountMinor <= desk.balanceMinor(currency)) {
    return { name, behaviour };
  }
  const refused = { execute: 'never', refusal: 'float-insufficient' } as const;
  return { name: 'float-insufficient', behaviour: { ...behaviour, ...refused } };
}
