import { type SubmitDeps, submitFile } from '../payout-files/submit-file.ts';
import type { SubmitFile } from './submit-occurrences.ts';

/** Submits the payout file of an occurrence as the service itself: its maker is who made the schedule. */
export function submitOccurrenceFile(
  deps: SubmitDeps & Readonly<{ wake: () => void }>,
): SubmitFile {
  return async ({ book, fileId, version, walletId, waitsBecause }) => {
    await submitFile(deps, {
      book,
      actor: { kind: 'system', part: 'schedule' },
      id: fileId,
      contentHash: null,
      version,
      walletId,
      payAt: null,
      waitsForPerson: waitsBecause !== null,
    });
    deps.wake();
  };
}
