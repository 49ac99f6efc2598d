import { cells as texts } from '../texts/en/cells.ts';
import { Note } from './note.tsx';

/** One line where a list of the staff is without what some cells have, and nothing else otherwise. */
export function MissingCells({ answer }: Readonly<{ answer: unknown }>) {
  const names = readNames(answer);
  return names.length === 0 ? null : <Note tone="caution">{texts.missing(names)}</Note>;
}

function readNames(answer: unknown): readonly string[] {
  if (typeof answer !== 'object' || answer === null || !('unansweredCells' in answer)) return [];
  const { unansweredCells: names } = answer;
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
