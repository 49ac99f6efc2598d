import type { PlantedResult } from './run-planted.ts';

const NAME_WIDTH = 56;
const MS_PER_SECOND = 1_000;
const MARKS = { caught: '✔', 'not caught': '✖', 'does not apply': '✖' } as const;

export function renderPlanted(result: PlantedResult): string {
  const { name, verdict, by, seeds, elapsedMs, says } = result;
  const where = seeds === 0 ? '' : ` in seed ${seeds}`;
  const how = verdict === 'caught' ? `by ${by.join(', ')}${where}` : verdict;
  const line = `${MARKS[verdict]} ${name.padEnd(NAME_WIDTH)} ${how}`;
  const seconds = `${(elapsedMs / MS_PER_SECOND).toFixed(0)} s`;
  return `${line} · ${seconds}${says === '' ? '' : `\n    ${says}`}`;
}

export function renderPlantedSummary(results: readonly PlantedResult[]): string {
  const caught = results.filter(({ verdict }) => verdict === 'caught').length;
  return `${caught} of ${results.length} planted bugs caught`;
}
