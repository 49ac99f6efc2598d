import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { describeFile } from '../../payout-files/describe-file.ts';
import { showFileApproval } from '../../payout-files/show-file-approval.ts';
import type { BookCaller } from '../server/caller.ts';
import type { PayoutFileDeps } from './payout-file-deps.ts';
import { renderFileDescription } from './render-payout-file.ts';

type Params = Readonly<Record<string, string>>;

export function readFileId(params: Params): string {
  const id = parseUuid(params.id ?? '');
  if (id === undefined) throw refuse('PAYOUT_FILE_NOT_FOUND');
  return id;
}

export function readRowNumber(params: Params): number {
  const text = params.number ?? '';
  if (!/^[1-9][0-9]{0,4}$/.test(text)) throw refuse('PAYOUT_ROW_NOT_FOUND');
  return Number(text);
}

/** The file as it is now, as `data` of an answer. */
export async function showFile(
  deps: Pick<PayoutFileDeps, 'database' | 'directory' | 'routes'>,
  { book, actor }: BookCaller,
  id: string,
) {
  const description = await describeFile(deps, { book, id });
  const personId = actor.kind === 'person' ? actor.id : null;
  const { file } = description;
  const approval = await showFileApproval(deps.database, { book, file, personId });
  return renderFileDescription(description, approval);
}
