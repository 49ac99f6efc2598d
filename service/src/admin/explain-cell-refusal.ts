import { formatTime } from './format-table.ts';
import type { Sentences } from './refusal-sentences.ts';

/** What is wrong with a cell or a move between two, and what to do. */
export const CELL_SENTENCES: Pick<
  Sentences,
  Extract<keyof Sentences, `CELL_${string}` | `MOVE_${string}`>
> = {
  CELL_CLOSED: ({ name }) => [
    `The cell ${name} is closed: no new merchants are placed in it.`,
    'Name another, or none: then the one with the fewest books is chosen.',
  ],
  CELL_NAME_INVALID: ({ max }) => [
    'That is no name for a cell. Nothing was changed.',
    `Give it 1 to ${max} lower case letters, digits and underscores, beginning with a letter.`,
  ],
  CELL_EXISTS: ({ name }) => [
    `There is already a cell called ${name}. Nothing was changed.`,
    'Choose another name, or see "cells list".',
  ],
  CELL_NOT_FOUND: ({ known }) => [
    'There is no cell with this name. Nothing was changed.',
    `Choose from ${known.join(', ')}.`,
  ],
  CELL_IS_CLOSED: ({ name, since }) => [
    `The cell ${name} is closed already, since ${formatTime(since)}. Nothing was changed.`,
    `Let merchants be placed in it again with "cells open ${name}".`,
  ],
  CELL_IS_OPEN: ({ name }) => [
    `The cell ${name} is not closed. Nothing was changed.`,
    '"cells list" shows which cells are.',
  ],
  CELL_VARIABLE_INVALID: () => [
    'That is no name of an environment variable. Nothing was changed.',
    'Give the name of the variable, such as EAST_DATABASE_URL, and not the address itself.',
  ],
  CELL_URL_MISSING: ({ variable }) => [
    `The environment variable ${variable} is not set. Nothing was changed.`,
    'Set it to an address like postgres://user:password@host:5432/database, here and for every process of the service.',
  ],
  CELL_URL_INVALID: ({ variable, problem }) => [
    `The address in ${variable} is not valid. Nothing was changed.`,
    problem,
  ],
  CELL_UNREACHABLE: ({ place, variable, cause }) => [
    `The server of ${place} cannot be used: ${cause}. Nothing was changed.`,
    `Start it, or correct ${variable}.`,
  ],
  CELL_SCHEMA_FOREIGN: ({ schema, place }) => [
    `The schema ${schema} of ${place} belongs to another program. Nothing was changed.`,
    'Choose another name for the cell, or another database.',
  ],
  CELL_HAS_MERCHANTS: ({ schema, place, merchants }) => [
    `The schema ${schema} of ${place} is a cell with ${merchants} merchants, and the directory does not list it. Nothing was changed.`,
    'It is a cell of another installation, or the directory comes from a backup: see docs/scaling.md.',
  ],
  CELL_SERVER_TAKEN: ({ place, has }) => [
    has === 'directory'
      ? `The database ${place} has a directory of its own. Nothing was changed.`
      : `The database ${place} has cells of another installation. Nothing was changed.`,
    has === 'directory'
      ? 'For a cell in the database of DATABASE_URL leave --database-url-env out; otherwise give a database that no other service uses.'
      : 'Give a database that no other service uses.',
  ],
  MOVE_TO_SAME_CELL: ({ name, cell }) => [
    `${name} is in the cell ${cell} already.`,
    '"cells list" shows the others.',
  ],
  MOVE_ELSEWHERE: ({ name, to }) => [
    `${name} is moving to the cell ${to}.`,
    `Finish that with "merchants move" and --to ${to}, or take it back with --undo.`,
  ],
  MOVE_UNDER_WAY: ({ name }) => [
    `${name} is being moved by another process, or its move is not finished.`,
    'Wait for it. A move that was cut off is finished by "merchants move" with the same cell.',
  ],
  MOVE_NOT_FOUND: () => ['There is no such move of this merchant.', 'Nothing was changed.'],
  MOVE_NOT_FORGOTTEN: ({ name, cell }) => [
    `The cell ${cell} still keeps what ${name} had there before.`,
    'Delete that first: "merchants move NAME --forget".',
  ],
  MOVE_SWITCHED: ({ name, to }) => [
    `${name} is served by the cell ${to} already, so the move cannot be undone.`,
    `Finish it with "merchants move" and --to ${to}; then move the merchant back.`,
  ],
  MOVE_NOT_QUIET: () => [
    'Payouts of the merchant were still being sent after a minute, so it stays where it was and is open again.',
    'Try again when its operators answer.',
  ],
  MOVE_NOT_COPIED: ({ table, cause }) => [
    `The rows of ${table} could not be copied: ${cause}. Nothing was switched, and the merchant stays closed.`,
    'Run the same command again, which copies anew, or open the merchant where it was with --undo.',
  ],
};
