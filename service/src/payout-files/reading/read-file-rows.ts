import { Worker } from 'node:worker_threads';
import type { RowRules } from '../../domain/payout-file/check-row.ts';
import { checkTable, type TableTaker } from './check-table.ts';
import { FileUnreadable } from './file-unreadable.ts';
import { isZip } from './read-table.ts';
import type { ReaderMessage } from './reader-message.ts';
import { READ_CPU_MAX_MS } from './table-limits.ts';
import { threadMemory } from './thread-memory.ts';

/** The longest time between two messages. */
const SILENCE_MAX_MS = 20_000;
const CPU_LOOK_MS = 500;

type ReadRequest = TableTaker &
  Readonly<{
    /** Moved into the thread: empty afterwards. */
    bytes: ArrayBuffer;
    rules: RowRules;
    signal: AbortSignal;
    /** CPU time of the thread. Default: READ_CPU_MAX_MS. */
    cpuMaxMs?: number;
  }>;

/** A table of text up to this size is read within a few milliseconds. A thread takes half a second of CPU to start. */
const READ_HERE_BYTES_MAX = 32 * 1_024;

/** Reads and checks a file. Rejects with FileUnreadable where the file is the reason. */
export async function readFileRows(request: ReadRequest): Promise<void> {
  const { bytes, signal } = request;
  signal.throwIfAborted();
  const isSmall = bytes.byteLength <= READ_HERE_BYTES_MAX && !isZip(Buffer.from(bytes));
  return isSmall ? checkTable(request, request) : readInThread(request);
}

/** In a thread of its own. */
async function readInThread(request: ReadRequest): Promise<void> {
  const { bytes, rules } = request;
  const worker = new Worker(new URL('./read-worker.ts', import.meta.url), {
    workerData: { bytes, rules },
    transferList: [bytes],
    resourceLimits: threadMemory(),
    // The thread needs neither the options nor the secrets of the process, so it gets none.
    env: {},
    execArgv: [],
  });
  try {
    await converse(worker, request);
  } finally {
    await worker.terminate();
  }
}

type Stored = Extract<ReaderMessage, { kind: 'read' | 'rows' }>;

function converse(worker: Worker, request: ReadRequest): Promise<void> {
  const { onHead, onRows, signal, cpuMaxMs = READ_CPU_MAX_MS } = request;
  return new Promise((resolve, reject) => {
    let hasEnded = false;
    let silence = startSilence();
    function startSilence() {
      return setTimeout(() => end(new FileUnreadable('TOO_SLOW')), SILENCE_MAX_MS);
    }
    const endIfBusyTooLong = async (): Promise<void> => {
      if ((await readCpuMs(worker)) > cpuMaxMs) end(new FileUnreadable('TOO_SLOW'));
    };
    const cpuWatch = setInterval(() => void endIfBusyTooLong().catch(end), CPU_LOOK_MS);
    const stop = (): void => end(signal.reason);
    const end = (error?: unknown): void => {
      hasEnded = true;
      clearInterval(cpuWatch);
      clearTimeout(silence);
      // The signal lives as long as the process.
      signal.removeEventListener('abort', stop);
      if (error === undefined) resolve();
      else reject(error);
    };
    const store = async (message: Stored): Promise<void> => {
      clearTimeout(silence);
      if (message.kind === 'read') await onHead(message.table);
      else await onRows(message);
      if (hasEnded) return;
      silence = startSilence();
      worker.postMessage('more', []);
    };
    signal.addEventListener('abort', stop, { once: true });
    worker.on('message', (message: ReaderMessage) => {
      // The last message is taken at once: the thread ends right behind it.
      if (message.kind === 'done') end();
      else if (message.kind === 'unreadable') {
        end(new FileUnreadable(message.code, message.detail));
      } else store(message).catch(end);
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      end(isMemory ? new FileUnreadable('TOO_MUCH_TEXT') : error);
    });
    worker.on('exit', () => end(new Error('the thread that reads a payout file ended early')));
  });
}

async function readCpuMs(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1_000;
  } catch (error) {
    // The thread has ended, and says itself how.
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_NOT_RUNNING') {
      return 0;
    }
    throw error;
  }
}
