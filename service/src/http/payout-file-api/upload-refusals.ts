import { Refusal, refuse } from '../../domain/refusal.ts';
import type { RefusalCode } from '../../domain/refusal-codes.ts';
import { OutcomeUnknown } from '../../postgres/database.ts';
import { ClientGone } from '../server/collect-body.ts';
import { expectedRefusal } from '../server/error-response.ts';

type StoredUpload = Readonly<{
  id: string;
  location: string;
  /** It was uploaded with an Idempotency-Key: the same upload again gives the same file. */
  isKeyed: boolean;
}>;

/** They are true of an upload that was stored: it is deleted, by this call or by another. */
const TRUE_AFTER_STORING: readonly RefusalCode[] = ['FILE_UNREADABLE', 'PAYOUT_FILE_NOT_FOUND'];

/**
 * The error of a call whose file is stored. The usual messages say that nothing was, and advise to send the same again:
 * without an Idempotency-Key that would be a second file, and people would be paid twice.
 */
export function refuseStored(error: unknown, { id, location, isKeyed }: StoredUpload): Error {
  if (error instanceof ClientGone) return error;
  if (error instanceof Refusal && TRUE_AFTER_STORING.includes(error.code)) return error;
  const advice = isKeyed
    ? 'get it by that id, or upload it again with the same Idempotency-Key.'
    : 'get it by that id, and do not upload it again, or it is there twice and may be paid twice.';
  return refuse(codeOf(error), {
    message: `The file was stored as ${id}, but it cannot be shown now: ${advice}`,
    retryable: isKeyed,
    location,
    cause: error,
  });
}

/** The error of a call that may have stored its file: the usual message names a transfer and its reference. */
export function refuseUnconfirmed(error: unknown, isKeyed: boolean): unknown {
  if (!(error instanceof OutcomeUnknown)) return error;
  const advice = isKeyed
    ? 'upload it again with the same Idempotency-Key.'
    : 'look for it in the list of payout files before you upload it again, or it may be paid twice.';
  return refuse('UNAVAILABLE', {
    message: `It is not known whether the file was stored, because the database did not confirm it: ${advice}`,
    retryable: isKeyed,
    cause: error,
  });
}

/** A bug is INTERNAL_ERROR, as everywhere. All other reasons why the file cannot be shown now pass by themselves. */
function codeOf(error: unknown): RefusalCode {
  return expectedRefusal(error) === undefined ? 'INTERNAL_ERROR' : 'UNAVAILABLE';
}
