import type { ControlFacts } from '../journal/exchange-record.ts';
import type { Snapshot } from './snapshot.ts';
import { type Found, report } from './violation.ts';

/** I33: all that was accepted together is within the limits of the policy, to the last ngwee. */
export function checkPolicyLimits(snapshot: Snapshot, facts: ControlFacts, found: Found): void {
  const own = snapshot.transfers.filter(({ bookId }) => bookId === facts.bookId);
  const byDay = Map.groupBy(
    own,
    ({ walletId, createdAt }) => `${walletId} ${lusakaDay(createdAt)}`,
  );
  for (const [walletDay, ofDay] of byDay) {
    const total = ofDay.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n);
    if (total <= BigInt(facts.dayLimitMinor)) continue;
    const evidence = { walletDay, total: String(total), limit: facts.dayLimitMinor };
    report(found, 'I33', {}, 'a wallet paid more in a day than its policy allows', evidence);
  }
  for (const [phone, toPhone] of Map.groupBy(own, (transfer) => transfer.phone)) {
    const times = toPhone.map(({ createdAt }) => Date.parse(createdAt)).sort((a, b) => a - b);
    for (const [index, time] of times.entries()) {
      const inHour = times.slice(index).filter((other) => other - time < HOUR_MS).length;
      if (inHour <= facts.recipientMax) continue;
      const evidence = { phone, inHour, limit: facts.recipientMax };
      report(
        found,
        'I33',
        {},
        'a number got more payouts in an hour than its policy allows',
        evidence,
      );
      break;
    }
  }
}

const HOUR_MS = 60 * 60 * 1_000;
const LUSAKA_AHEAD_MS = 2 * HOUR_MS;
const DATE_LENGTH = '2026-01-31'.length;

function lusakaDay(time: string): string {
  return new Date(Date.parse(time) + LUSAKA_AHEAD_MS).toISOString().slice(0, DATE_LENGTH);
}
