import { createHash } from 'node:crypto';
import { refuse } from '../domain/refusal.ts';
import type { Schedule } from './schedule.ts';

const DIGEST_LENGTH = 32;

/** Names a schedule as people and keys left it: another text means that one of them changed it. */
export function versionOf(schedule: Schedule): string {
  const { id, name, walletId, rule, state, rowsTotal, sumMinor, madeBy, updatedAt } = schedule;
  const { every, day, at, zone, ifHoliday } = rule;
  const parts = [
    [id, name, walletId, state],
    [every, day, at, zone, ifHoliday],
    // A list of the same count and sum is another one if it was stored at another time.
    [rowsTotal, String(sumMinor), madeBy.id, updatedAt.toISOString()],
  ];
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return digest.slice(0, DIGEST_LENGTH);
}

/** Refuses a change of a schedule that is not as the actor saw it. Null: the caller does not say what was seen. */
export function refuseOtherVersion(schedule: Schedule, version: string | null): void {
  if (version === null || version === versionOf(schedule)) return;
  throw refuse('CONTENT_CHANGED', {
    message:
      'The schedule is not as you saw it: another person or a key changed, paused or resumed it. Nothing was changed. Look at it again, then change it.',
  });
}
