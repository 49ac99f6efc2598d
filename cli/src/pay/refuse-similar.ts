import { CliProblem, EXIT } from '../cli-problem.ts';
import { countOf } from '../format-table.ts';
import type { PlannedLine } from './plan-payouts.ts';
import type { UploadDeps, UploadedFile } from './upload-files.ts';

/** A warning of the service: the same amount was paid to this number in the last 7 days. */
const SIMILAR = 'SIMILAR_PAYOUT';
const ROWS_PER_CALL = 100;

/**
 * Refuses lines that may have been paid under another reference. The references of a file without references come from
 * its content. Saved again with another spelling of a name or a date, its lines look new, and only the warning of the
 * service shows the repetition.
 */
export async function refuseSimilar(
  deps: UploadDeps,
  uploaded: readonly UploadedFile[],
  planned: readonly PlannedLine[],
): Promise<void> {
  // Of two equal lines, the first may be paid and the second not.
  const known = planned.flatMap(({ outcome }) =>
    outcome !== undefined && 'transfer' in outcome ? [outcome.transfer.id] : [],
  );
  const lines = await findSimilar(deps, uploaded, new Set(known));
  const [first] = lines;
  if (first === undefined) return;
  const whose =
    lines.length === 1
      ? `The number in line ${first} was`
      : `The numbers in ${countOf(lines.length, 'line')}, first line ${first}, were`;
  throw new CliProblem(
    EXIT.incomplete,
    `${whose} paid the same amount in the last 7 days. The file has no references that tell whether this is another ` +
      'payout. Nothing was sent.',
    'If the file was only edited or saved again, take these lines out. To pay them once more, give another --batch, ' +
      'or --allow-similar.',
  );
}

async function findSimilar(
  { kafue, stop }: UploadDeps,
  uploaded: readonly UploadedFile[],
  known: ReadonlySet<string>,
): Promise<readonly number[]> {
  const lines: number[] = [];
  for (const { file, payouts } of uploaded) {
    if (!file.problemKinds.some(({ code }) => code === SIMILAR)) continue;
    const filter = { problems: true, limit: ROWS_PER_CALL };
    for await (const row of kafue.payoutFiles.rows(file.id, filter, { signal: stop })) {
      const payout = payouts[row.number - 1];
      // The failed payout that it pays again is similar, of course.
      if (payout === undefined || payout.retryOf !== null) continue;
      const isOther = row.warnings.some(
        ({ code, transferId }) => code === SIMILAR && !known.has(transferId ?? ''),
      );
      if (isOther) lines.push(payout.line);
    }
  }
  return lines;
}
