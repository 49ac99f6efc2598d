import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  LOGS_FOLDER,
  OPERATORS_FOLDER,
  type OperatorRequests,
  PUBLIC_EVENTS_FILE,
  type PublicEvent,
  REQUESTS_FILE,
} from './journal/exchange-record.ts';
import { findPostmaster } from './target/data-folder.ts';
import { queryOnce } from './target/query-once.ts';
import type { TestSystem } from './target/test-system.ts';

const SCRAPE_TIMEOUT_MS = 5_000;

/** How many requests an emulator keeps; a list of this length may be incomplete. */
const REQUESTS_KEPT_MAX = 20_000;

/** Records the events that the feed readers must have seen when they finish. */
export async function keepPublicEvents({ database, folder }: TestSystem): Promise<void> {
  const postmaster = await findPostmaster(database.dataDir);
  if (postmaster === undefined) throw new Error('the database is not running');
  const events = await queryOnce<PublicEvent>(postmaster.databaseUrl, PUBLIC_EVENTS);
  const lines = events.map((event) => `${JSON.stringify(event)}\n`);
  await writeFile(join(folder, PUBLIC_EVENTS_FILE), lines.join(''));
}

const PUBLIC_EVENTS = `
  select book_id::text as "bookId", subject_id::text as "subjectId", seq
  from events
  where type is not null`;

/** Records the requests that reached each operator. Skips killed ones, whose lists are incomplete. */
export async function keepRequests({ operators, folder }: TestSystem): Promise<void> {
  for (const [name, { process, control }] of operators) {
    if (process.starts() > 1) continue;
    const keptAt = new Date().toISOString();
    const { requests } = (await control('GET journal')) as {
      requests: readonly Readonly<{ method: string; path: string; status: unknown }>[];
    };
    if (requests.length >= REQUESTS_KEPT_MAX) continue;
    const paths = requests.filter(({ method }) => method === 'GET').map(({ path }) => path);
    const sent = requests.filter(({ method, status }) => method !== 'GET' && status !== 401);
    const kept: OperatorRequests = { keptAt, paths, sent: sent.map(({ path }) => path) };
    await writeFile(
      join(folder, OPERATORS_FOLDER, name, REQUESTS_FILE),
      `${JSON.stringify(kept)}\n`,
    );
  }
}

export async function keepMetrics(system: TestSystem): Promise<void> {
  for (const [index, { process }] of system.services.entries()) {
    const answer = await fetch(`http://127.0.0.1:${process.ready()}/metrics`, {
      signal: AbortSignal.timeout(SCRAPE_TIMEOUT_MS),
    });
    await writeFile(join(system.folder, LOGS_FOLDER, `metrics-${index}.txt`), await answer.text());
  }
}
