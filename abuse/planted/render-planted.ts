import type { PlantedResult } from './run-planted.ts';

const NAME_WIDTH = 72;
const MS_PER_SECOND = 1_000;
const MARKS = { caught: '✔', 'not caught': '✖', 'does not apply': '✖' } as const;

export function renderPlanted({ name, verdict, by, elapsedMs, says }: PlantedResult): string {
  const how = verdict === 'caught' ? `caught by ${by.join(', ')}` : verdict;
  const seconds = `${(elapsedMs / MS_PER_SECOND).toFixed(0)} s`;
  return `${MARKS[verdict]} ${name.padEnd(NAME_WIDTH)} ${how} · ${seconds}\n    ${says}`;
}

export function renderPlantedSummary(results: readonly PlantedResult[]): string {
  const caught = results.filter(({ verdict }) => verdict === 'caught').length;
  return `${caught} of ${results.length} removed bounds were noticed`;
}
