import type { Command } from 'commander';
import { readStatement } from '../administrators/read-statement.ts';
import {
  forgetMoved,
  type MoveDeps,
  type MoveRequest,
  moveMerchant,
  undoMove,
} from '../cells/move/move-merchant.ts';
import type { PlacedMerchant } from '../cells/move/move-record.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { type AdminDeps, type Answer, addCommand, type Perform } from './add-command.ts';
import { authenticateActor } from './authenticate-actor.ts';
import { CommandRefused } from './command-refused.ts';
import { asArgument } from './read-argument.ts';

type MoveOptions = Readonly<{ to?: string; undo?: boolean; forget?: boolean; reason: string }>;

/** `merchants move`, in the group of the commands on merchants. */
export function addMoveCommand(group: Command, perform: Perform): void {
  addCommand(group, {
    name: 'move',
    description: 'Move a merchant with both its books to another cell',
    examples: [
      'merchants move "Zambezi Tours" --to east --reason "room, ticket 4711"',
      'merchants move "Zambezi Tours" --undo --reason "not today"',
      'merchants move "Zambezi Tours" --forget --reason "moved a week ago"',
    ],
    notes: `Its writes are refused during the move; reads go on.
For the owner of the tables of both cells. What was cut off is continued by the same command, or taken back
with --undo. See docs/runbooks/moving.md.`,
  })
    .argument('<merchant>', 'its name or id')
    .option('--to <cell>', 'the cell that it moves to')
    .option('--undo', 'open the merchant again where it was; only before the switch')
    .option('--forget', 'delete what the former cell keeps of the merchant')
    .requiredOption('--reason <text>', 'why, for the record', asArgument(readStatement))
    .action((merchant: string, options: MoveOptions) =>
      perform((deps) => moveAs(deps, merchant, options)),
    );
}

async function moveAs(deps: AdminDeps, merchant: string, options: MoveOptions): Promise<Answer> {
  const { to, undo = false, forget = false, reason } = options;
  if (Number(to !== undefined) + Number(undo) + Number(forget) !== 1) {
    throw new CommandRefused(
      'What is to be done is not clear.',
      'Give one of --to CELL, --undo and --forget.',
    );
  }
  const request = { actor: await authenticateActor(deps), merchant, reason };
  if (to !== undefined) return move(deps, { ...request, to });
  return undo ? takeBack(deps, request) : forgetFormer(deps, request);
}

async function move(
  deps: AdminDeps,
  request: MoveRequest & Readonly<{ to: string }>,
): Promise<Answer> {
  const { merchant, from, to, rows, pausedMs } = await moveMerchant(moveDeps(deps), request);
  const seconds = (pausedMs / 1_000).toFixed(1);
  return {
    json: { merchant: toJson(merchant), from, to, rows, pausedMs: Math.round(pausedMs) },
    text: `${merchant.name} is served by the cell ${to} now. Its writes were refused for ${seconds} s${
      rows === null ? '' : `, while ${rows} rows were copied and compared`
    }.
The cell ${from} keeps what it had, read-only, until "merchants move" with --forget.`,
  };
}

async function takeBack(deps: AdminDeps, request: MoveRequest): Promise<Answer> {
  const merchant = await undoMove(moveDeps(deps), request);
  return {
    json: { merchant: toJson(merchant) },
    text: `${merchant.name} is served by the cell ${merchant.cell}, as before.`,
  };
}

async function forgetFormer(deps: AdminDeps, request: MoveRequest): Promise<Answer> {
  const { merchant, cells, rows } = await forgetMoved(moveDeps(deps), request);
  return {
    json: { merchant: toJson(merchant), forgottenBy: cells, rows },
    text: `Deleted ${rows} rows of ${merchant.name} in ${cells.join(', ')}. They are in the cell ${merchant.cell}.`,
  };
}

function moveDeps({ directory, cells, now, newId, showProgress }: AdminDeps): MoveDeps {
  return {
    directory,
    cellNamed(name) {
      const known = cells.list();
      const found = known.find((cell) => cell.name === name);
      if (found !== undefined) return found;
      throw new AdminRefused('CELL_NOT_FOUND', { known: known.map((cell) => cell.name) });
    },
    now,
    newId,
    monotonicMs: () => performance.now(),
    onProgress: ({ table, tablesDone, tablesTotal }) =>
      showProgress(`copying ${table}, ${tablesDone} of ${tablesTotal} tables`),
  };
}

function toJson({ id, name, cell, epoch }: PlacedMerchant) {
  return { id, name, cell, epoch };
}
