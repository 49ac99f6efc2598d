import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createChooser, type Rule } from './choose-behaviour.ts';
import { openJournal } from './journal.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { type BackendOptions, createBackend, type OperatorBackend } from './operator-backend.ts';
import type { Notice } from './plan-notices.ts';
import { PRESETS } from './presets.ts';
import { waitUntil } from './wait-until.ts';

export const ORDER = {
  ourReference: 'r1',
  msisdn: '260966000001',
  amountMinor: 15_050n,
  currency: 'ZMW',
};

export type OpenBackend = Readonly<{ backend: OperatorBackend; clock: ManualClock }> &
  AsyncDisposable;

/** For tests: a backend with a manual clock. Opened again on the same folder, it replays its journal. */
export async function openBackend(
  folder: string,
  rules: readonly Rule[] = [],
  more: Partial<BackendOptions> = {},
  clock: ManualClock = createManualClock(),
): Promise<OpenBackend> {
  const journal = await openJournal(join(folder, 'backend.jsonl'));
  const chooser = createChooser();
  chooser.setRules(rules);
  const backend = createBackend({ journal, chooser, timeScale: 1, ...clock, ...more });
  return {
    backend,
    clock,
    async [Symbol.asyncDispose]() {
      await backend.close();
      await journal.close();
    },
  };
}

/** Advances the clock, then waits until the resulting writes are done. */
export async function advanceClockUntil(
  { backend, clock }: OpenBackend,
  ms: number,
  isSo: (backend: OperatorBackend) => boolean,
): Promise<void> {
  await clock.pass(ms);
  await waitUntil('the backend has written it', async () => {
    await clock.pass(0);
    return isSo(backend);
  });
}

/** Listens to a payout and collects its notices. */
export async function collectNotices(
  backend: OperatorBackend,
  reference: string,
): Promise<Notice[]> {
  const notices: Notice[] = [];
  const payout = backend.find(reference);
  if (payout === undefined) throw new Error(`no payout ${reference}`);
  await backend.onEnd(payout, async (notice) => {
    notices.push(notice);
  });
  return notices;
}

/** Waits until everything started before is on disk: the journal writes in order. */
export async function untilWritten(backend: OperatorBackend): Promise<void> {
  const steered = { name: 'nothing', behaviour: PRESETS.lost };
  await backend.submit({ ...ORDER, ourReference: randomUUID(), steered });
}
