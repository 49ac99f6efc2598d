import { randomBytes } from 'node:crypto';
import { type FileHandle, open, realpath, rename, rm } from 'node:fs/promises';
import { formatCsvLine } from '../../../service/src/domain/format-csv.ts';
import { CliProblem, EXIT } from '../cli-problem.ts';
import { formatMinor } from '../payout-file/amount.ts';
import type { Payout } from '../payout-file/payout.ts';
import type { PayoutFile } from '../payout-file/read-payout-file.ts';
import type { LineOutcome } from './line-outcome.ts';
import type { FinishedLine } from './render-summary.ts';

const COLUMNS = [
  'line',
  'reference',
  'retryOf',
  'amount',
  'fee',
  'phone',
  'operator',
  'country',
  'walletId',
  'narration',
  'recipientName',
  'result',
  'id',
  'status',
  'state',
  'errorCode',
  'message',
];

/** Only the owner may read it: it has names, numbers and amounts of people. */
const OWNER_ONLY = 0o600;
const LINES_AT_ONCE = 1_000;
const BYTE_ORDER_MARK = '\ufeff';

export type ResultPlace = Readonly<{ path: string; format: PayoutFile['format'] }>;

/** Checks before anything is paid that the result can be written. */
export async function checkResultPlace(path: string, payoutFile: string): Promise<void> {
  const existing = await realpath(path).catch(() => undefined);
  if (existing !== undefined && existing === (await realpath(payoutFile).catch(() => undefined))) {
    throw new CliProblem(
      EXIT.usage,
      'The result would overwrite the file itself.',
      'Give another --result.',
    );
  }
  const draft = draftOf(path);
  try {
    await (await open(draft, 'wx', OWNER_ONLY)).close();
    await rm(draft);
  } catch {
    throw new CliProblem(
      EXIT.usage,
      `The result cannot be written to ${path}. Nothing was sent.`,
      'Give a --result in a folder that you may write to.',
    );
  }
}

/** Writes atomically: if the process dies, the file is complete or unchanged. */
export async function writeResult(
  { path, format }: ResultPlace,
  lines: readonly FinishedLine[],
): Promise<void> {
  const draft = draftOf(path);
  try {
    const handle = await open(draft, 'wx', OWNER_ONLY);
    try {
      await writeLines(handle, format, lines);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function draftOf(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.part`;
}

async function writeLines(
  handle: FileHandle,
  { separator, byteOrderMark }: PayoutFile['format'],
  lines: readonly FinishedLine[],
): Promise<void> {
  let text = (byteOrderMark ? BYTE_ORDER_MARK : '') + formatCsvLine(COLUMNS, separator);
  for (const [index, { payout, outcome }] of lines.entries()) {
    text += formatCsvLine([...payoutCells(payout, outcome), ...outcomeCells(outcome)], separator);
    if (index % LINES_AT_ONCE !== LINES_AT_ONCE - 1) continue;
    await handle.appendFile(text);
    text = '';
  }
  await handle.appendFile(text);
}

function payoutCells(payout: Payout, outcome: LineOutcome): readonly string[] {
  return [
    String(payout.line),
    payout.reference,
    payout.retryOf ?? '',
    formatMinor(payout.amountMinor),
    'transfer' in outcome ? formatMinor(outcome.transfer.feeMinor) : '',
    payout.phone,
    payout.operator,
    payout.country,
    payout.walletId,
    payout.narration ?? '',
    payout.recipientName ?? '',
  ];
}

function outcomeCells(outcome: LineOutcome): readonly string[] {
  if (!('transfer' in outcome)) {
    return [outcome.kind, '', '', '', outcome.code, outcome.message];
  }
  const { id, status, state, failure } = outcome.transfer;
  return [outcome.kind, id, status, state, failure?.code ?? '', failure?.message ?? ''];
}
