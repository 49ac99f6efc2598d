import type { BankRead } from '../journal/exchange-record.ts';
import { type Found, report } from './violation.ts';

/** I2 and I4 while things broke: whatever moved, all the money was somewhere, and none was made. */
export function checkBankReads(reads: readonly BankRead[], found: Found): void {
  const fundedAtFirst = new Map<string, string>();
  for (const { at, sums } of reads) {
    for (const sum of sums) {
      const account = `${sum.bookId} ${sum.currency}`;
      const funded = fundedAtFirst.get(account) ?? sum.fundedMinor;
      fundedAtFirst.set(account, funded);
      if (sum.fundedMinor !== funded) {
        report(found, 'I2', {}, 'money came from outside during the run', { at, sum, funded });
      }
      if (BigInt(sum.walletsMinor) + BigInt(sum.elsewhereMinor) !== BigInt(sum.fundedMinor)) {
        report(found, 'I2', {}, 'what is somewhere is not what came in', { at, sum });
      }
      if (BigInt(sum.leastMinor) < 0n) {
        report(found, 'I4', {}, 'a wallet was seen below zero', { at, sum });
      }
    }
  }
}
