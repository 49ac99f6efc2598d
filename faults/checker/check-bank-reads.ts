import type { BankRead } from '../journal/exchange-record.ts';
import { type Found, report } from './violation.ts';

/** I2 and I4 during faults: at every reading the total equals the funded money, and no wallet is below zero. */
export function checkBankReads(reads: readonly BankRead[], found: Found): void {
  const fundedAtFirst = new Map<string, string>();
  for (const { at, sums } of reads) {
    for (const sum of sums) {
      const account = `${sum.bookId} ${sum.currency}`;
      const funded = fundedAtFirst.get(account) ?? sum.fundedMinor;
      fundedAtFirst.set(account, funded);
      if (sum.fundedMinor !== funded) {
        report(found, 'I2', {}, 'the funded amount changed during the run', { at, sum, funded });
      }
      if (BigInt(sum.walletsMinor) + BigInt(sum.elsewhereMinor) !== BigInt(sum.fundedMinor)) {
        report(found, 'I2', {}, 'the total does not equal the funded amount', { at, sum });
      }
      if (BigInt(sum.leastMinor) < 0n) {
        report(found, 'I4', {}, 'a wallet was seen below zero', { at, sum });
      }
    }
  }
}
