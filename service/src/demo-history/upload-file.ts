import { createHash } from 'node:crypto';
import type { PersonActor } from '../domain/actor.ts';
import { storeUpload } from '../payout-files/store-upload.ts';
import { type PayoutScene, walletOf } from './history-payouts.ts';

export type FileLine = Readonly<{ name: string | null; phone: string; amount: string }>;

/** Uploads a payout file as people write it, to be paid from the wallet of salaries. Returns its id. */
export async function uploadFile(
  { past, book, wallets }: PayoutScene,
  {
    actor,
    name,
    lines,
  }: Readonly<{ actor: PersonActor; name: string; lines: readonly FileLine[] }>,
): Promise<string> {
  const rows = lines.map((line) => `${line.name ?? ''},${line.phone},${line.amount}`);
  const bytes = Buffer.from(['Name,Phone Number,Amount', ...rows, ''].join('\r\n'));
  const { id } = await storeUpload(past, {
    book,
    actor,
    upload: {
      name,
      bytes,
      hash: createHash('sha256').update(bytes).digest(),
      walletId: walletOf(wallets, 'salaries'),
      references: 'derived',
      key: null,
    },
  });
  return id;
}
