import type { Attacker } from '../attacker/attacker.ts';

const MS_PER_SECOND = 1_000;

type Rate = Readonly<{
  /** The status of a request within the rate. */
  status: number;
  /** Per address. */
  burst: number;
  perSecond: number;
  elapsedMs: number;
}>;

/** Records a flaw if more requests got this status than the rate of the attackers' addresses allows. */
export function expectRefusals(attacker: Attacker, rate: Rate): void {
  // One second more, because the times of the first and the last answer are not known exactly.
  const ofAddress = rate.burst + rate.perSecond * (rate.elapsedMs / MS_PER_SECOND + 1);
  const allowed = Math.ceil(ofAddress * attacker.addresses.length);
  const count = attacker.tally.count(rate.status);
  if (count > allowed) {
    attacker.tally.flaw(`more answers of ${rate.status} than the limit of an address allows`);
  }
}
