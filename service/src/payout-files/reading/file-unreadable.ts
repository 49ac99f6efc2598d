import type { FileProblemCode } from '../../domain/payout-file/row-problem.ts';

/** The file as a whole cannot be read; its rows are not known. */
export class FileUnreadable extends Error {
  readonly code: FileProblemCode;
  /** Where or what it is, for the person who made the file; null: the code says it all. */
  readonly detail: string | null;

  constructor(code: FileProblemCode, detail: string | null = null) {
    super(code);
    this.name = 'FileUnreadable';
    this.code = code;
    this.detail = detail;
  }
}
