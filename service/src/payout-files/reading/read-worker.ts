import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckedRow, RowRules } from '../../domain/payout-file/check-row.ts';
import { FileChecker, type TableRow } from '../../domain/payout-file/file-checker.ts';
import { FileUnreadable } from './file-unreadable.ts';
import { readTable } from './read-table.ts';
import type { ReaderMessage } from './reader-message.ts';

/**
 * Reads and checks one file in a thread of its own, so that the process goes on with other calls, and a file that takes
 * too much memory ends this thread alone. While rows are stored the next ones are checked, and wait to be sent.
 */

const ROWS_AT_ONCE = 1_000;

type Given = Readonly<{ bytes: ArrayBuffer; rules: RowRules }>;

const port = parentPort;
if (port === null) throw new Error('this file runs as a worker thread');

function send(message: ReaderMessage): void {
  port?.postMessage(message);
}

/** Sends a message and resolves when the process has stored it. */
function ask(message: ReaderMessage): Promise<void> {
  const answered = new Promise<void>((resolve) => port?.once('message', () => resolve()));
  send(message);
  return answered;
}

async function run({ bytes, rules }: Given): Promise<void> {
  const upload = Buffer.from(bytes);
  const { rows, ...table } = await readTable(upload);
  const uploadHash = createHash('sha256').update(upload).digest('hex');
  let stored = ask({ kind: 'read', table: { ...table, total: rows.length, uploadHash } });
  const checker = new FileChecker(rules);
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const part = rows.slice(from, from + ROWS_AT_ONCE);
    const checked = part.map((row, index) => toStored(from + index + 1, row, checker));
    const { walletId, currency } = checker.rules;
    const json = JSON.stringify(checked);
    await stored;
    stored = ask({ kind: 'rows', json, count: part.length, walletId, currency });
  }
  await stored;
  send({ kind: 'done' });
}

/** As the statement that stores rows reads them. */
function toStored(number: number, row: TableRow, checker: FileChecker): object {
  const checked: CheckedRow = checker.check(number, row);
  return {
    number,
    line: row.line,
    cells: row.texts,
    state: checked.problems.length > 0 ? 'problem' : 'ready',
    phone: checked.phone,
    operator: checked.operator,
    operator_predicted: checked.operatorPredicted,
    country: checked.country,
    currency: checked.currency,
    amount_minor: checked.amountMinor?.toString() ?? null,
    fee_minor: checked.feeMinor?.toString() ?? null,
    recipient_name: checked.recipientName,
    narration: checked.narration,
    given_reference: checked.givenReference,
    problems: checked.problems,
    warnings: checked.warnings,
  };
}

try {
  await run(workerData as Given);
} catch (error) {
  if (!(error instanceof FileUnreadable)) throw error;
  send({ kind: 'unreadable', code: error.code, detail: error.detail });
}
