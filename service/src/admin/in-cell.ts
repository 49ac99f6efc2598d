import type { Cell } from '../cells/cell.ts';
import { findMerchantPlace, type MerchantPlace } from '../merchants/find-merchant-place.ts';
import { findWalletCell } from '../merchants/find-wallet-cell.ts';
import type { Database } from '../postgres/database.ts';
import { findIncidentCell } from '../resolutions/find-incident-cell.ts';
import { findTransferCell } from '../transfers/read/find-transfer-cell.ts';
import type { AdminDeps } from './add-command.ts';

/** What a command works with whose subject is in one cell. */
export type AdminDepsInCell = AdminDeps & Readonly<{ database: Database }>;

function inCell(deps: AdminDeps, { database }: Cell): AdminDepsInCell {
  return { ...deps, database };
}

/** Where a merchant is, by name or id. */
export async function inMerchantCell(
  deps: AdminDeps,
  nameOrId: string,
): Promise<Readonly<{ inside: AdminDepsInCell; place: MerchantPlace }>> {
  const place = await findMerchantPlace(deps.directory, nameOrId);
  return { inside: inCell(deps, deps.cells.named(place.cell)), place };
}

export async function inTransferCell(deps: AdminDeps, id: string): Promise<AdminDepsInCell> {
  return inCell(deps, await findTransferCell(deps, id));
}

export async function inWalletCell(deps: AdminDeps, id: string): Promise<AdminDepsInCell> {
  return inCell(deps, await findWalletCell(deps, id));
}

export async function inIncidentCell(deps: AdminDeps, id: string): Promise<AdminDepsInCell> {
  return inCell(deps, await findIncidentCell(deps, id));
}

/** The id of the merchant of an option; null: none was named. */
export async function readMerchantId(
  { directory }: Pick<AdminDeps, 'directory'>,
  nameOrId: string | undefined,
): Promise<string | null> {
  return nameOrId === undefined ? null : (await findMerchantPlace(directory, nameOrId)).id;
}

/** A list with the names of the cells whose part is missing. */
export function withUnanswered(text: string, unansweredCells: readonly string[]): string {
  if (unansweredCells.length === 0) return text;
  return `${text}\n\nThese cells did not answer, so what they have is missing: ${unansweredCells.join(', ')}.`;
}
