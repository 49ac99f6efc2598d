/** NUL, and halves of surrogate pairs: workbooks can hold them, PostgreSQL stores neither. */
const UNSTORABLE = /[\0\ud800-\udfff]/gu;

/** The beginning of a text, with a mark in place of each character that cannot be stored. */
export function storableText(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).replace(UNSTORABLE, '\ufffd');
}
