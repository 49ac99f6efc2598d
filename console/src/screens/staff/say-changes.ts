import type { Dossier } from '../../api/staff-types.ts';
import { decisions } from '../../texts/en/decisions.ts';
import { doubt } from '../../texts/en/doubt.ts';
import { readEvidence } from '../doubt/read-evidence.ts';

const texts = doubt.decide.changed;

/** Sentences about facts for a decision that have changed since the person saw them. Empty: none. */
export function sayChanges(seen: Dossier, now: Dossier): readonly string[] {
  if (seen.transfer.state !== now.transfer.state) return [texts.state];
  const known = new Set(seen.evidence.contradictions);
  const lines = new Set(linesOf(seen));
  const newer = linesOf(now).filter((line) => !lines.has(line)).length;
  return [
    ...sayProposal(seen, now),
    ...(now.evidence.contradictions.every((one) => known.has(one)) ? [] : [texts.contradicted]),
    ...(newer === 0 ? [] : [texts.evidence(newer)]),
  ];
}

function sayProposal({ proposal: before }: Dossier, { proposal }: Dossier): readonly string[] {
  if (before?.at === proposal?.at && before?.by.id === proposal?.by.id) return [];
  if (proposal === null) return [texts.ended];
  return [texts.proposed(proposal.by.name, decisions[proposal.decision])];
}

/**
 * The evidence without what people proposed. Operators are asked again and again: an answer that repeats the one before
 * makes no line of its own.
 */
function linesOf(dossier: Dossier): readonly string[] {
  const entries = dossier.entries.filter(({ kind }) => kind !== 'person');
  return readEvidence({ ...dossier, entries }).map(
    ({ at, same, source, says }) => `${same?.since ?? at} ${source} ${says}`,
  );
}
