import { Kafue } from '../../sdk/src/index.ts';
import { EXIT, type ExitCode } from './cli-problem.ts';
import type { Access } from './find-access.ts';

export type ShowDeps = Readonly<{ writeOut: (text: string) => void; json: boolean }>;

/** Shows the state of one payout, by its reference. */
export async function showTransfer(
  { writeOut, json }: ShowDeps,
  { apiKey, baseUrl }: Access,
  reference: string,
): Promise<ExitCode> {
  const kafue = new Kafue({ apiKey, baseUrl });
  const transfer = await kafue.transfers.getByReference(reference);
  if (json) {
    writeOut(`${JSON.stringify(transfer, null, 2)}\n`);
    return EXIT.done;
  }
  const { status, state, currency, amount, phone, operator, failure, createdAt } = transfer;
  writeOut(`${reference}: ${status} (${state})\n`);
  writeOut(`  ${currency} ${amount.toFixed(2)} to ${phone} at ${operator}, asked ${createdAt}\n`);
  if (failure !== null) writeOut(`  ${failure.code}: ${failure.message}\n`);
  writeOut(`  id ${transfer.id}\n`);
  return EXIT.done;
}
