import { flood } from '../attacker/flood.ts';
import { API, JSON_TYPE, writeRequest } from '../attacker/write-request.ts';
import type { Target } from '../target/target.ts';
import type { Attack } from './attack.ts';

const REQUESTS = { short: 300, long: 5_000 } as const;
const DURATION_MS = 8_000;

/** Payouts while the disk of the database is full: each fails, and must not fill the log too. */
export const FULL_DISK: Attack = {
  id: '8',
  title: 'payouts while the disk of the database is full',
  timeMaxMs: DURATION_MS,
  run: (attacker) =>
    flood(attacker, {
      connections: 16,
      requests: REQUESTS[attacker.form],
      batch: 1,
      make: (index) =>
        writeRequest({
          method: 'POST',
          path: `${API}/transfers/mobile-money`,
          apiKey: attacker.target.attackerKey,
          headers: [JSON_TYPE],
          body: JSON.stringify(writePayout(attacker.target, `full-disk-${index}`)),
        }),
    }),
};

export function writePayout({ attackerWalletId }: Target, reference: string): object {
  return {
    amount: 1,
    reference,
    phone: '0977433571',
    operator: 'airtel',
    country: 'zm',
    walletId: attackerWalletId,
  };
}
