import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AnsweredRecord,
  type AskedRecord,
  BANK_READS_FILE,
  type BankRead,
  type ExchangeRecord,
  JOURNALS_FOLDER,
} from '../journal/exchange-record.ts';

/** A question of some client and its answer; undefined: none came, so nobody knows. */
export type Exchange = Readonly<{
  /** `client-3 #17`, to find it again. */
  place: string;
  asked: AskedRecord;
  answered: AnsweredRecord | undefined;
}>;

export type Journals = Readonly<{
  exchanges: readonly Exchange[];
  bankReads: readonly BankRead[];
}>;

export async function readJournals(runFolder: string): Promise<Journals> {
  const folder = join(runFolder, JOURNALS_FOLDER);
  const exchanges: Exchange[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const records = await readLines<ExchangeRecord>(join(folder, name));
    exchanges.push(...pair(name.replace(/\.jsonl$/, ''), records));
  }
  return { exchanges, bankReads: await readLines<BankRead>(join(runFolder, BANK_READS_FILE)) };
}

function pair(journal: string, records: readonly ExchangeRecord[]): readonly Exchange[] {
  const answers = new Map<number, AnsweredRecord>();
  for (const record of records) {
    if (record.kind === 'answered') answers.set(record.exchange, record);
  }
  return records.flatMap((asked) =>
    asked.kind === 'asked'
      ? [
          {
            place: `${journal} #${asked.exchange}`,
            asked,
            answered: answers.get(asked.exchange),
          },
        ]
      : [],
  );
}

async function readLines<Line>(path: string): Promise<readonly Line[]> {
  const text = await readFile(path, 'utf8');
  // A line without its end was being written when somebody died: it never counted.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
