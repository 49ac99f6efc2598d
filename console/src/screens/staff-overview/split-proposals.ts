import type { Doubt } from '../../api/staff-types.ts';
import { type Reader, whoseTurn } from '../staff/whose-turn.ts';

const SHOWN_MAX = 5;

/** Open proposals: what the reader can decide, as much as fits and how much more, and how many wait for others. */
export function splitProposals(
  doubts: readonly Doubt[],
  reader: Reader,
): Readonly<{ shown: readonly Doubt[]; more: number; others: number }> {
  const proposed = doubts.filter(({ proposal }) => proposal !== null);
  const mine = proposed.filter(
    ({ proposal }) => proposal !== null && whoseTurn(proposal, reader) === 'reader',
  );
  return {
    shown: mine.slice(0, SHOWN_MAX),
    more: Math.max(0, mine.length - SHOWN_MAX),
    others: proposed.length - mine.length,
  };
}
