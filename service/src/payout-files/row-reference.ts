/** Characters of the file's id that a reference has. The rest of an id is the time at which it was made. */
const ID_CHARS = 12;

/**
 * The reference of the transfer that a row becomes. It follows from file and row alone, so a row that is paid again
 * after a crash finds the transfer that it became.
 */
export function rowReference(fileId: string, number: number): string {
  return `file-${fileId.replaceAll('-', '').slice(-ID_CHARS)}-${number}`;
}
