import { parentPort, workerData } from 'node:worker_threads';
import type { RowRules } from '../../domain/payout-file/check-row.ts';
import { checkTable } from './check-table.ts';
import { FileUnreadable } from './file-unreadable.ts';
import type { ReaderMessage } from './reader-message.ts';

/**
 * Reads and checks one file in a thread of its own, so that the process goes on with other calls, and a file that takes
 * too much memory ends this thread alone.
 */

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

try {
  await checkTable(workerData as Readonly<{ bytes: ArrayBuffer; rules: RowRules }>, {
    onHead: (table) => ask({ kind: 'read', table }),
    onRows: ask,
  });
  send({ kind: 'done' });
} catch (error) {
  if (!(error instanceof FileUnreadable)) throw error;
  send({ kind: 'unreadable', code: error.code, detail: error.detail });
}
