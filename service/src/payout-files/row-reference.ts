import { createHash } from 'node:crypto';

/** 96 bits: two files never get the same name. */
const NAME_HEX_CHARS = 24;
/** Characters of the file's id in the references of files that have no name. The rest of an id is a time. */
const ID_CHARS = 12;

/** Where the references of a file's transfers come from: made from file and row, or as the rows have them. */
export const ROW_REFERENCES = ['derived', 'given'] as const;
export type RowReferences = (typeof ROW_REFERENCES)[number];

/**
 * The name of an uploaded file in the references of its transfers. It follows from the bytes, so that the same file gives
 * the same references also to a database that was restored and has forgotten the first upload: operators recognise
 * them, and pay no row again. The copy tells apart files of the same bytes that are all meant: 1 is the first that is paid.
 */
export function nameUpload({ hash, copy }: Readonly<{ hash: Buffer; copy: number }>): string {
  return nameOf(`upload ${hash.toString('hex')} ${copy}`);
}

/** The name of the file that a schedule makes for a period. */
export function nameOccurrence(of: Readonly<{ scheduleId: string; period: string }>): string {
  return nameOf(`schedule ${of.scheduleId} ${of.period}`);
}

function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, NAME_HEX_CHARS);
}

/**
 * The reference of the transfer that a row becomes. It follows from file and row alone, so a row that is paid again
 * after a crash finds the transfer that it became.
 */
export function rowReference(
  file: Readonly<{ id: string; referenceName: string | null }>,
  number: number,
): string {
  const name = file.referenceName ?? file.id.replaceAll('-', '').slice(-ID_CHARS);
  return `file-${name}-${number}`;
}
