import { cells as texts } from '../texts/en/cells.ts';
import { Note } from './note.tsx';

/** A line that says which cells are missing from a list of the staff; nothing if all answered. */
export function MissingCells({ answer }: Readonly<{ answer: unknown }>) {
  const names = readNames(answer);
  return names.length === 0 ? null : <Note tone="caution">{texts.missing(names)}</Note>;
}

function readNames(answer: unknown): readonly string[] {
  if (typeof answer !== 'object' || answer === null || !('unansweredCells' in answer)) return [];
  const { unansweredCells: names } = answer;
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
