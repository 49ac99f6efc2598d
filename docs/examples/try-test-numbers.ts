import { setTimeout as pause } from 'node:timers/promises';
import { Kafue, type TransferState } from 'kafue';

const kafue = new Kafue({ apiKey: process.env.KAFUE_KEY ?? '', baseUrl: process.env.KAFUE_URL });
const [run = 'numbers'] = process.argv.slice(2);

const ENDS: ReadonlyMap<string, TransferState> = new Map([
  ['571', 'succeeded'],
  ['901', 'failed'],
  ['902', 'failed'],
  ['903', 'failed'],
  ['911', 'succeeded'],
  ['912', 'failed'],
  ['913', 'in_doubt'],
  ['921', 'reversed'],
  ['931', 'succeeded'],
  ['941', 'succeeded'],
  ['951', 'succeeded'],
]);

await kafue.transfers.bulk(
  [...ENDS.keys()].map((digits) => ({
    amount: 1,
    reference: `${run}-${digits}`,
    phone: `0977433${digits}`,
    operator: 'airtel',
    country: 'zm',
    walletId: process.env.WALLET_ID ?? '',
  })),
);

const signal = AbortSignal.timeout(60_000);
for (const [digits, end] of ENDS) {
  let transfer = await kafue.transfers.getByReference(`${run}-${digits}`);
  while (transfer.state !== end) {
    await pause(100, undefined, { signal });
    transfer = await kafue.transfers.get(transfer.id);
  }
  const history = await kafue.transfers.history(transfer.id);
  const states = history.map(({ state }) => state).join(', ');
  console.log([digits, states, transfer.failure?.code ?? ''].join('  ').trimEnd());
}
