import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createChooser, type Rule } from './choose-behaviour.ts';
import { createDesk, type Desk, type DeskOptions } from './desk.ts';
import { openJournal } from './journal.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import type { Notice } from './plan-notices.ts';
import { PRESETS } from './presets.ts';
import { waitUntil } from './wait-until.ts';

export const ORDER = {
  ourReference: 'r1',
  msisdn: '260966000001',
  amountMinor: 15_050n,
  currency: 'ZMW',
};

export type OpenDesk = Readonly<{ desk: Desk; clock: ManualClock }> & AsyncDisposable;

/** For tests: a desk on a clock that stands still. Opened again on the same folder, it replays. */
export async function openDesk(
  folder: string,
  rules: readonly Rule[] = [],
  more: Partial<DeskOptions> = {},
  clock: ManualClock = createManualClock(),
): Promise<OpenDesk> {
  const journal = await openJournal(join(folder, 'desk.jsonl'));
  const chooser = createChooser();
  chooser.setRules(rules);
  const desk = createDesk({ journal, chooser, pace: 1, ...clock, ...more });
  return {
    desk,
    clock,
    async [Symbol.asyncDispose]() {
      await desk.close();
      await journal.close();
    },
  };
}

/** Time passes, then what it set off is written. */
export async function passUntil(
  { desk, clock }: OpenDesk,
  ms: number,
  isSo: (desk: Desk) => boolean,
): Promise<void> {
  await clock.pass(ms);
  await waitUntil('the desk has written it down', async () => {
    await clock.pass(0);
    return isSo(desk);
  });
}

/** Listens to a payout, and keeps what it is told. */
export async function collectNotices(desk: Desk, reference: string): Promise<Notice[]> {
  const notices: Notice[] = [];
  const payout = desk.find(reference);
  if (payout === undefined) throw new Error(`no payout ${reference}`);
  await desk.onEnd(payout, async (notice) => {
    notices.push(notice);
  });
  return notices;
}

/** All that was begun before is on the disk: the journal keeps the order. */
export async function untilWritten(desk: Desk): Promise<void> {
  const steered = { name: 'nothing', behaviour: PRESETS.lost };
  await desk.submit({ ...ORDER, ourReference: randomUUID(), steered });
}
