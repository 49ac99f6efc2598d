import { Kafue, type Wallet } from '../../sdk/src/index.ts';
import { EXIT, type ExitCode } from './cli-problem.ts';
import type { Access } from './find-access.ts';
import { formatTable } from './format-table.ts';
import type { ShowDeps } from './show-transfer.ts';

/** A merchant has few wallets. The bound only stops an endless list. */
const WALLETS_SHOWN_MAX = 1_000;

/** Lists the wallets that the key can use. */
export async function showWallets(
  { writeOut, json }: ShowDeps,
  { apiKey, baseUrl }: Access,
): Promise<ExitCode> {
  const wallets: Wallet[] = [];
  for await (const wallet of new Kafue({ apiKey, baseUrl }).wallets.list()) {
    wallets.push(wallet);
    if (wallets.length === WALLETS_SHOWN_MAX) break;
  }
  if (json) {
    writeOut(`${JSON.stringify(wallets, null, 2)}\n`);
    return EXIT.done;
  }
  const rows = wallets.map(({ id, currency, available, held, status }) => [
    id,
    currency,
    available,
    held,
    status,
  ]);
  const columns = [
    { title: 'wallet' },
    { title: '' },
    { title: 'available', align: 'right' },
    { title: 'held', align: 'right' },
    { title: 'status' },
  ] as const;
  writeOut(`${formatTable(columns, rows)}\n`);
  return EXIT.done;
}
