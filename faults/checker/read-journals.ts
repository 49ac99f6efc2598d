import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AnsweredRecord,
  ATTACKS_FILE,
  type AttackRecord,
  BANK_READS_FILE,
  type BankRead,
  CONTROLS_FOLDER,
  DELIVERIES_FILE,
  type ExchangeRecord,
  FACTS_FILE,
  IDLE_CALLS_FILE,
  type IdleCall,
  JOURNALS_FOLDER,
  LATE_ENDPOINTS_FILE,
  type LateEndpoint,
  PUBLIC_EVENTS_FILE,
  type PublicEvent,
  type ReceivedRecord,
  type RequestRecord,
  type ResourceSample,
  type RunFacts,
  SAMPLES_FILE,
  STEADY_FOLDER,
  TENANCY_FILE,
  type TenancyProbe,
  WINDOWS_FILE,
  type WindowRecord,
} from '../journal/exchange-record.ts';
import { findLeaks, type Leak } from './find-leaks.ts';
import { type OperatorBook, readBooks } from './read-books.ts';
import { readLines } from './read-lines.ts';

/** A client's request and its answer; undefined: no answer came, so the result is unknown. */
export type Exchange = Readonly<{
  /** Where it is in the journals, such as `client-3 #17`. */
  place: string;
  request: RequestRecord;
  answered: AnsweredRecord | undefined;
}>;

export type Journals = Readonly<{
  exchanges: readonly Exchange[];
  /** The exchanges of the merchant with a policy. */
  controls: readonly Exchange[];
  /** The exchanges of the merchants that order payouts in each cell. */
  steady: readonly Exchange[];
  idleCalls: readonly IdleCall[];
  bankReads: readonly BankRead[];
  facts: RunFacts;
  books: readonly OperatorBook[];
  received: readonly ReceivedRecord[];
  samples: readonly ResourceSample[];
  probes: readonly TenancyProbe[];
  attacks: readonly AttackRecord[];
  leaks: readonly Leak[];
  /** The events that the feeds must have shown at the end. */
  publicEvents: readonly PublicEvent[];
  windows: readonly WindowRecord[];
  lateEndpoints: readonly LateEndpoint[];
}>;

export async function readJournals(runFolder: string): Promise<Journals> {
  const facts = JSON.parse(await readFile(join(runFolder, FACTS_FILE), 'utf8')) as RunFacts;
  return {
    exchanges: await readExchanges(join(runFolder, JOURNALS_FOLDER)),
    controls: await readExchanges(join(runFolder, CONTROLS_FOLDER)),
    steady: await readExchanges(join(runFolder, STEADY_FOLDER)),
    idleCalls: await readLines<IdleCall>(join(runFolder, IDLE_CALLS_FILE)),
    bankReads: await readLines<BankRead>(join(runFolder, BANK_READS_FILE)),
    facts,
    books: await readBooks(runFolder, facts),
    received: await readLines<ReceivedRecord>(join(runFolder, DELIVERIES_FILE)),
    samples: await readLines<ResourceSample>(join(runFolder, SAMPLES_FILE)),
    probes: await readLines<TenancyProbe>(join(runFolder, TENANCY_FILE)),
    attacks: await readLines<AttackRecord>(join(runFolder, ATTACKS_FILE)),
    leaks: await findLeaks(runFolder, facts.canaries),
    publicEvents: await readLines<PublicEvent>(join(runFolder, PUBLIC_EVENTS_FILE)),
    windows: await readLines<WindowRecord>(join(runFolder, WINDOWS_FILE)),
    lateEndpoints: await readLines<LateEndpoint>(join(runFolder, LATE_ENDPOINTS_FILE)),
  };
}

async function readExchanges(folder: string): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const records = await readLines<ExchangeRecord>(join(folder, name));
    exchanges.push(...pair(name.replace(/\.jsonl$/, ''), records));
  }
  return exchanges;
}

function pair(journal: string, records: readonly ExchangeRecord[]): readonly Exchange[] {
  const answers = new Map<number, AnsweredRecord>();
  for (const record of records) {
    if (record.kind === 'answered') answers.set(record.exchange, record);
  }
  return records.flatMap((request) =>
    request.kind === 'request'
      ? [
          {
            place: `${journal} #${request.exchange}`,
            request,
            answered: answers.get(request.exchange),
          },
        ]
      : [],
  );
}
