import type { Command } from 'commander';
import { addCell } from '../cells/add-cell.ts';
import { type CellCheck, checkCell, isHealthy } from '../cells/check-cell.ts';
import { closeCell, openCell } from '../cells/close-cell.ts';
import { type ListedCell, listCellsInFull } from '../cells/list-cells.ts';
import { describePlace } from '../cells/open-server.ts';
import { queryCells } from '../cells/query-cells.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { MigrationRefused } from '../postgres/migration-refused.ts';
import { type AdminDeps, type Answer, addCommand, addGroup, type Perform } from './add-command.ts';
import { authenticateActor } from './authenticate-actor.ts';
import { CommandRefused } from './command-refused.ts';
import { explainMigration } from './explain-migration.ts';
import { explainRefusal } from './explain-refusal.ts';
import { formatFields, formatTable, formatTime } from './format-table.ts';

/** A server that cannot be reached is given up after 5 seconds. */
const CHECK_DEADLINE_MS = 20_000;
const NOTES = 'See docs/scaling.md.';

export function addCellCommands(program: Command, perform: Perform): void {
  const group = addGroup(program, {
    name: 'cells',
    description: 'Add, check, close and open cells, which keep the books',
  });
  addCommand(group, {
    name: 'list',
    description: 'List the cells in the directory',
    examples: ['cells list', 'cells list --json'],
    notes: `Does not connect to them.
${NOTES}`,
  }).action(() => perform(list));
  addCommand(group, {
    name: 'add',
    description: 'Add a cell: a schema here, or on another server',
    examples: ['cells add east', 'cells add north --database-url-env NORTH_DATABASE_URL'],
    notes: `For the owner of the tables. Where the owner of the other server's tables is another role than the service's,
its address goes into the same variable with MIGRATION_ before it. What was cut off can be repeated. ${NOTES}`,
  })
    .argument('<name>', 'lower case letters, digits and underscores')
    .option(
      '--database-url-env <variable>',
      'the environment variable with the address of the server; the address itself is never stored',
    )
    .action((name: string, { databaseUrlEnv }: { databaseUrlEnv?: string }) =>
      perform((deps) => add(deps, { name, urlVariable: databaseUrlEnv ?? null })),
    );
  addCommand(group, {
    name: 'check',
    description: 'Check that cells answer, their version, size and settings',
    examples: ['cells check', 'cells check east', 'cells check --json'],
    notes: `Exit code 1 when a cell does not answer or is not durable, or its copy of the directory is behind. ${NOTES}`,
  })
    .argument('[name]', 'one cell; left out: all of them')
    .action((name: string | undefined) => perform((deps) => check(deps, name)));
  addStanding(group, perform);
}

function addStanding(group: Command, perform: Perform): void {
  addCommand(group, {
    name: 'close',
    description: 'Close a cell to new merchants',
    examples: ['cells close east'],
    notes: 'The merchants of the cell go on as before.',
  })
    .argument('<name>', 'the cell')
    .action((name: string) => perform((deps) => close(deps, name)));
  addCommand(group, {
    name: 'open',
    description: 'Open a closed cell to new merchants',
    examples: ['cells open east'],
  })
    .argument('<name>', 'the cell')
    .action((name: string) => perform((deps) => open(deps, name)));
}

async function list({ directory }: AdminDeps): Promise<Answer> {
  const cells = await listCellsInFull(directory);
  const titles = ['cell', 'server', 'schema', 'standing', 'since', 'merchants'];
  const table = formatTable(
    titles.map((title) => (title === 'merchants' ? { title, align: 'right' } : { title })),
    cells.map((cell) => [
      cell.name,
      cell.urlVariable ?? 'DATABASE_URL',
      cell.schema,
      standingOf(cell),
      formatTime(cell.closedAt ?? cell.createdAt),
      String(cell.merchants),
    ]),
  );
  return { json: { cells: cells.map(toJson) }, text: table };
}

type AddRequest = Readonly<{ name: string; urlVariable: string | null }>;

async function add(deps: AdminDeps, request: AddRequest): Promise<Answer> {
  const actor = await authenticateActor(deps);
  const { name, urlVariable } = request;
  try {
    const cell = await addCell({ ...deps, say: deps.warn }, { actor, ...request });
    const where = urlVariable === null ? '' : ` on the server in ${urlVariable}`;
    return {
      json: { cell: { name, schema: cell.schema, server: urlVariable } },
      text: `Added the cell ${name}${where}. Every process knows of it within seconds${urlVariable === null ? '.' : `; each needs ${urlVariable} in its environment.`}`,
    };
  } catch (error) {
    if (!(error instanceof MigrationRefused)) throw error;
    throw new CommandRefused(explainMigration(error), 'The cell was not added.');
  }
}

async function close(deps: AdminDeps, name: string): Promise<Answer> {
  await closeCell(deps, { actor: await authenticateActor(deps), name });
  const text = `Closed the cell ${name}: no new merchants are placed there. Its own merchants go on as before.`;
  return { json: { cell: { name, standing: 'closed' } }, text };
}

async function open(deps: AdminDeps, name: string): Promise<Answer> {
  await openCell(deps, { actor: await authenticateActor(deps), name });
  const text = `Opened the cell ${name}: new merchants may be placed there.`;
  return { json: { cell: { name, standing: 'open' } }, text };
}

async function check(deps: AdminDeps, name: string | undefined): Promise<Answer> {
  const all = await listCellsInFull(deps.directory);
  const cells = all.filter((cell) => name === undefined || cell.name === name);
  if (cells.length === 0) {
    throw new AdminRefused('CELL_NOT_FOUND', { known: all.map((cell) => cell.name) });
  }
  const place = placeOfDirectory(deps.env);
  const asked = { ...deps, place, monotonicMs: () => performance.now() };
  deps.showProgress(`Asking ${cells.length} cells`);
  const { answers } = await queryCells(cells, (cell) => checkCell(asked, cell), {
    deadlineMs: CHECK_DEADLINE_MS,
  });
  deps.showProgress('');
  const checks = cells.map(
    (cell): CellCheck =>
      answers.find(({ answer }) => answer.cell === cell)?.answer ?? {
        cell,
        place: null,
        failure: new Error('it took too long'),
        figures: null,
      },
  );
  return {
    json: { cells: checks.map(toCheckJson) },
    text: checks.map(describeCheck).join('\n\n'),
    failed: !checks.every(isHealthy),
  };
}

// An address that cannot be used was refused when the database was opened.
function placeOfDirectory(env: AdminDeps['env']): string {
  const url = env['MIGRATION_DATABASE_URL'] || env['DATABASE_URL'] || '';
  return url === '' ? 'the embedded database' : describePlace(url);
}

const standingOf = ({ closedAt }: ListedCell) => (closedAt === null ? 'open' : 'closed');

function toJson(cell: ListedCell) {
  return {
    name: cell.name,
    server: cell.urlVariable,
    schema: cell.schema,
    standing: standingOf(cell),
    createdAt: cell.createdAt,
    closedAt: cell.closedAt,
    merchants: cell.merchants,
  };
}

function toCheckJson(checked: CellCheck) {
  const { cell, place, failure, figures } = checked;
  return {
    ...toJson(cell),
    place,
    well: isHealthy(checked),
    answers: figures !== null,
    problem: figures === null ? explainFailure(failure) : null,
    answerMs: figures === null ? null : round(figures.answerMs),
    version: figures?.version ?? null,
    merchants: figures?.merchants ?? null,
    books: figures?.books ?? null,
    bytes: figures === null ? null : Number(figures.bytes),
    oldestQueuedAt: figures?.oldestQueuedAt ?? null,
    durable: figures === null ? null : figures.unsafe === null,
    unsafe: figures?.unsafe ?? null,
    directoryBehindMs: finite(figures?.behindMs ?? null),
    directoryCopied: figures === null || figures.behindMs === null ? null : isFilled(figures),
  };
}

const round = (ms: number) => Math.round(ms * 100) / 100;
const finite = (ms: number | null) => (ms === null || !Number.isFinite(ms) ? null : Math.round(ms));
const isFilled = ({ behindMs }: Readonly<{ behindMs: number | null }>) =>
  behindMs !== null && Number.isFinite(behindMs);

function describeCheck(checked: CellCheck): string {
  const { cell, place, failure, figures } = checked;
  const fields: [string, string][] = [
    ['database', place ?? 'not known'],
    ['schema', cell.schema],
    ['standing', standingOf(cell)],
  ];
  if (figures === null) fields.push(['problem', explainFailure(failure)]);
  else {
    fields.push(
      ['answers in', `${figures.answerMs.toFixed(1)} ms`],
      ['version', String(figures.version)],
      ['merchants', String(figures.merchants)],
      ['books', String(figures.books)],
      ['bytes', String(figures.bytes)],
      ['oldest queued', formatTime(figures.oldestQueuedAt)],
      ['durable', figures.unsafe ?? 'yes'],
    );
    if (figures.behindMs !== null) fields.push(['directory', describeBehind(figures.behindMs)]);
  }
  return `${cell.name}: ${isHealthy(checked) ? 'well' : '✗ not well'}\n${formatFields(fields)}`;
}

function describeBehind(behindMs: number): string {
  if (!Number.isFinite(behindMs)) return 'the copy must be filled anew, which the service does';
  return behindMs === 0 ? 'the copy has all' : `the copy is ${Math.round(behindMs)} ms behind`;
}

function explainFailure(failure: unknown): string {
  if (failure instanceof AdminRefused) {
    const { message, advice } = explainRefusal(failure);
    return `${message.replace(' Nothing was changed.', '')} ${advice}`;
  }
  return failure instanceof Error ? failure.message : String(failure);
}
