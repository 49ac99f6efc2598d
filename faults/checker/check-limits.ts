import type { RunFacts } from '../journal/exchange-record.ts';
import type { Snapshot } from './snapshot.ts';
import { type Found, report } from './violation.ts';

/** I23: no wallet paid more in one day than its limit, also with concurrent orders. */
export function checkLimits({ transfers }: Snapshot, facts: RunFacts, found: Found): void {
  const { dailyLimitMinor } = facts;
  if (dailyLimitMinor === null) return;
  const own = new Set(Object.values(facts.books));
  const byDay = Map.groupBy(
    transfers.filter(({ bookId }) => own.has(bookId)),
    ({ walletId, createdAt }) => `${walletId} ${createdAt.slice(0, DATE_LENGTH)}`,
  );
  for (const [walletDay, ofDay] of byDay) {
    const total = ofDay.reduce(
      (sum, { amountMinor, feeMinor }) => sum + BigInt(amountMinor) + BigInt(feeMinor),
      0n,
    );
    if (total <= BigInt(dailyLimitMinor)) continue;
    const evidence = { walletDay, totalMinor: String(total), dailyLimitMinor };
    report(found, 'I23', {}, 'a wallet paid more in a day than its limit', evidence);
  }
}

const DATE_LENGTH = '2026-01-31'.length;
