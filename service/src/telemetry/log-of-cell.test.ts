import assert from 'node:assert/strict';
import { it } from 'node:test';
import { withCell } from './log-of-cell.ts';
import { createLogger } from './logger.ts';

it('names the cell in every line while there are several, and not before', () => {
  const lines: string[] = [];
  let cell: string | undefined;
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = withCell(createLogger({ level: 'debug', destination }), () => cell);
  logger.info({ count: 1 }, 'alone');
  cell = 'east';
  for (const level of ['debug', 'info', 'warn', 'error'] as const)
    logger[level]({ count: 2 }, 'one of two');
  assert.deepEqual(
    lines
      .map((line) => JSON.parse(line) as object)
      .map((line) => ('cell' in line ? line.cell : null)),
    [null, 'east', 'east', 'east', 'east'],
  );
});
