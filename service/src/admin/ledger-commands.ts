import type { Command } from 'commander';
import { mergeLists } from '../cells/merge-lists.ts';
import { formatMinor } from '../domain/money.ts';
import { Refusal } from '../domain/refusal.ts';
import { type LedgerProblem, type Verification, verifyLedger } from '../ledger/verify-ledger.ts';
import { DatabaseUnreachable } from '../postgres/database.ts';
import { listStuck, type Stuck } from '../resolutions/list-stuck.ts';
import { type AdminDeps, type Answer, addCommand, addGroup, type Perform } from './add-command.ts';
import { explainStuck } from './explain-stuck.ts';
import { formatFields, formatTime } from './format-table.ts';
import { withUnanswered } from './in-cell.ts';
import {
  addTroubleOptions,
  describeTroubleFilter,
  readTroubleFilter,
  type TroubleOptions,
} from './read-trouble-filter.ts';

export function addLedgerCommands(program: Command, perform: Perform): void {
  const group = addGroup(program, { name: 'ledger', description: 'Verify the ledger' });
  addCommand(group, {
    name: 'verify',
    description: 'Compare every wallet and transfer with its postings',
    examples: ['ledger verify', 'ledger verify --json'],
    notes:
      'Exit code 1 when anything is wrong. Reads one moment; a running service is not disturbed.',
  }).action(() => perform(verify));
  const stuckCommand = addCommand(program, {
    name: 'stuck',
    description: 'List what is stuck, why, and what to do, oldest first',
    examples: ['stuck', 'stuck --operator airtel', 'stuck --mode all --merchant Demo --json'],
  });
  addTroubleOptions(stuckCommand).action((options: TroubleOptions) =>
    perform((deps) => stuck(deps, options)),
  );
}

async function verify(deps: AdminDeps): Promise<Answer> {
  const all = deps.cells.list();
  const results: { cell: string; verification: Verification | null }[] = [];
  // One after the other: each reads all of a cell.
  for (const { name, database } of all) {
    const where = all.length === 1 ? '' : ` of cell ${name}`;
    const verification = await verifyLedger(database, {
      onProgress: ({ check, checksDone, checksTotal }) =>
        deps.showProgress(`Checking ${checksDone + 1} of ${checksTotal}${where}: ${check}`),
    }).catch(unlessUnreachable);
    results.push({ cell: name, verification });
  }
  deps.showProgress('');
  const [only] = results;
  if (results.length === 1 && only !== undefined && only.verification !== null) {
    const { verification } = only;
    return {
      json: { ...verification },
      text: describeVerification(verification),
      failed: !verification.ok,
    };
  }
  return describeCells(results);
}

/** Null: the cell did not answer. */
function unlessUnreachable(error: unknown): null {
  const isSilent = error instanceof Refusal && error.code === 'CELL_UNAVAILABLE';
  if (isSilent || error instanceof DatabaseUnreachable) return null;
  throw error;
}

/** A ledger that could not be read is not right. */
function describeCells(
  results: readonly Readonly<{ cell: string; verification: Verification | null }>[],
): Answer {
  const ok = results.every(({ verification }) => verification?.ok === true);
  const silent = results.filter(({ verification }) => verification === null);
  return {
    json: {
      ok,
      cells: results.flatMap(({ cell, verification }) =>
        verification === null ? [] : [{ cell, ...verification }],
      ),
      unansweredCells: silent.map(({ cell }) => cell),
    },
    text: results
      .map(({ cell, verification }) =>
        verification === null
          ? `Cell ${cell}: it did not answer, so its ledger was not read.`
          : `Cell ${cell}: ${describeVerification(verification)}`,
      )
      .join('\n\n'),
    failed: !ok,
  };
}

function describeVerification(verification: Verification): string {
  const { booksChecked, walletsChecked, postingsChecked, transfersChecked } = verification;
  const read = `books: ${booksChecked}, wallets: ${walletsChecked}, postings: ${postingsChecked}, transfers: ${transfersChecked}`;
  if (verification.ok) return `The ledger is right (${read}).`;
  const { problems, problemsTotal } = verification;
  const listed = problems.map(describeProblem).join('\n');
  const rest = problemsTotal - problems.length;
  const more = rest === 0 ? '' : `\n… and ${rest} more of the same kinds, which are not listed.`;
  return (
    `The ledger is wrong in ${problemsTotal} slots (${read}):\n\n${listed}${more}\n\n` +
    'Stop payouts from these wallets ("wallets freeze"), keep the database as it is, and find out what wrote it.'
  );
}

function describeProblem({ check, bookId, walletId, transferId, message }: LedgerProblem): string {
  const place = [
    `book ${bookId}`,
    ...(walletId === undefined ? [] : [`wallet ${walletId}`]),
    ...(transferId === undefined ? [] : [`transfer ${transferId}`]),
  ];
  return `${check}: ${message}\n  ${place.join(', ')}`;
}

async function stuck(deps: AdminDeps, options: TroubleOptions): Promise<Answer> {
  const filter = await readTroubleFilter(deps, options);
  const listed = await mergeLists(deps.cells, {
    read: async (database) => {
      const { stuck: items, more } = await listStuck(database, filter);
      return { items, more };
    },
    compare: (a, b) => a.since.getTime() - b.since.getTime(),
  });
  const { items: found, more, unansweredCells } = listed;
  const json = { stuck: found.map(toJson), more, unansweredCells };
  if (found.length === 0) {
    const text = `Nothing is stuck ${describeTroubleFilter(filter)}`;
    return { json, text: withUnanswered(text, unansweredCells) };
  }
  const blocks = found.map(describeStuck).join('\n\n');
  const text = more ? `${blocks}\n\n… and more, which are not listed.` : blocks;
  return { json, text: withUnanswered(text, unansweredCells) };
}

function describeStuck(one: Stuck): string {
  const { why, whatToDo } = explainStuck(one);
  const amount =
    one.amountMinor === null ? '' : `, ${formatMinor(one.amountMinor)} ${one.currency ?? ''}`;
  const title = `${one.kind} ${one.id}: ${one.state} since ${formatTime(one.since)}`;
  const fields = formatFields([
    ['whose', `${one.merchant}, ${one.mode}`],
    ['what', `${one.reference ?? 'name'} at ${one.operator} (${one.country})${amount}`],
    ['why', why],
    ['do', whatToDo],
  ]);
  return `${title}\n${fields}`;
}

function toJson(one: Stuck) {
  const { amountMinor, ...rest } = one;
  const amount = amountMinor === null ? null : formatMinor(amountMinor);
  return { ...rest, ...explainStuck(one), amount };
}
