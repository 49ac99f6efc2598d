import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Verification, verifyLedger } from '../src/ledger/verify-ledger.ts';
import { type Ledger, type Reached, withLedger } from './every-state-ledger.ts';

/** Makes a change that our code cannot make: the protecting triggers are disabled first. */
export async function damage(
  ledger: Ledger,
  text: string,
  values: readonly unknown[],
): Promise<void> {
  for (const table of ['postings', 'events']) {
    const disable = `alter table ${table} disable trigger all`;
    await ledger.database.query({ name: '', text: disable });
  }
  await ledger.database.query({ name: '', text }, values);
}

/** A damage, and the finding that it must cause: the check, the place, and a part of the message. */
export type Damage = Readonly<{
  name: string;
  text: string;
  values: (ledger: Ledger) => readonly unknown[];
  found: readonly Readonly<{
    check: string;
    message: RegExp;
    transfer?: Reached | 'free';
    wallet?: 'walletId' | 'otherWalletId';
  }>[];
}>;

export const ofTransfer = (state: Reached | 'free') => (ledger: Ledger) => [
  ledger.transferIds[state],
];
export const ofWallet = ({ walletId }: Ledger) => [walletId];

/** One test for each damage: exactly what it breaks is reported, with the place. */
export function itNames(damages: readonly Damage[]): void {
  for (const planted of damages) {
    void it(`names ${planted.name}, and nothing else`, () =>
      withLedger(async (ledger) => {
        await damage(ledger, planted.text, planted.values(ledger));
        assertFound(ledger, await verifyLedger(ledger.database), planted);
      }));
  }
}

function assertFound(ledger: Ledger, verification: Verification, { found }: Damage): void {
  assert.equal(verification.ok, false);
  assert.equal(verification.problemsTotal, found.length, JSON.stringify(verification.problems));
  const left = [...verification.problems];
  for (const { check, message, transfer, wallet } of found) {
    const at = left.findIndex(
      (problem) =>
        problem.check === check &&
        message.test(problem.message) &&
        problem.bookId === ledger.bookId &&
        (transfer === undefined || problem.transferId === ledger.transferIds[transfer]) &&
        (wallet === undefined || problem.walletId === ledger[wallet]),
    );
    assert.notEqual(at, -1, `${check} ${message} is not in ${JSON.stringify(left)}`);
    left.splice(at, 1);
  }
}
