import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, it } from 'node:test';
import { openSecondServer, prepareSecondServer, type SecondServer } from './second-server.ts';

const ROOT = new URL('../src', import.meta.url).pathname;

/** Their statements run on the handle of a cell. */
const OF_CELLS = [
  'approvals',
  'controls',
  'due-work',
  'events',
  'ledger',
  'limits',
  'lists',
  'overview',
  'payout-files',
  'policies',
  'preflight',
  'recipients',
  'resolutions',
  'schedules',
  'screening',
  'timelines',
  'transfers',
  'views',
  'webhooks',
];

/** These ask the directory, on its own handle. */
const ASK_THE_DIRECTORY = [
  'resolutions/find-incident-cell.ts',
  'transfers/read/find-transfer-cell.ts',
  'webhooks/agree-on-keys.ts',
  'webhooks/find-endpoint-cell.ts',
  'webhooks/read-sealed-samples.ts',
];

/** What PostgreSQL says of a table or a column that is not there. */
const IS_ABSENT = /does not exist/;

let second: SecondServer;
before(async () => {
  second = await openSecondServer();
  await prepareSecondServer(second);
});
after(() => second.close());

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
);
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const isOfCells = (file: string) =>
  OF_CELLS.includes(file.split('/')[0] ?? '') && !ASK_THE_DIRECTORY.includes(file);

/** The statements that are one literal text. Statements made of parts are left out. */
function statementsOf(file: string): readonly string[] {
  return [...textOf(file).matchAll(/text:\s*(?:`([^`]*)`|'([^']*)')/g)]
    .map(([, long, short]) => long ?? short ?? '')
    .filter(
      (text) => /^\s*(select|insert|update|delete|with)\b/.test(text) && !text.includes('${'),
    );
}

function importsOf(file: string): readonly string[] {
  return [...textOf(file).matchAll(/from\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  );
}

/** Why a cell on another server cannot run a statement of the file. Undefined: it can run all. */
async function whyNotThere(file: string): Promise<string | undefined> {
  for (const text of statementsOf(file)) {
    const problem = await second.database
      .transaction(async (tx) => {
        await tx.query({ name: '', text: `prepare checked as ${text}` });
        await tx.query({ name: '', text: 'deallocate checked' });
      })
      .then(
        () => '',
        (error: Error) => error.message,
      );
    if (IS_ABSENT.test(problem)) return problem;
  }
  return undefined;
}

it('a cell on another server, which has a copy of some of the directory, can run its statements', async () => {
  const notThere = new Map<string, string>();
  for (const file of files) {
    const why = await whyNotThere(file);
    if (why !== undefined) notThere.set(file, why);
  }
  // A statement for the directory alone is found, so the search works.
  assert.match(notThere.get('people/read-emails.ts') ?? '', /column "email" does not exist/);
  const wrong = files.filter(isOfCells).flatMap((file) =>
    [file, ...importsOf(file)].flatMap((path) => {
      const why = notThere.get(path);
      return why === undefined ? [] : [`${file} uses ${path}: ${why}`];
    }),
  );
  assert.deepEqual(wrong, []);
});
