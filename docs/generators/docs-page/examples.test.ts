import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, it } from 'node:test';
import { openContract } from '../../../service/test/contract/open-contract.ts';
import { pollUntil } from '../../../service/test/poll.ts';
import { storeAwaiting } from '../../../service/test/stored-awaiting.ts';
import { storeFile } from '../../../service/test/stored-file.ts';
import { bookOf } from '../../../service/test/test-merchant.ts';
import { EXAMPLE_IDS, order } from '../openapi/example-objects.ts';
import { PAYOUT_FILE_EXAMPLES } from '../openapi/example-payout-file.ts';
import { describeService } from '../openapi/render-openapi.ts';
import { ORIGIN } from './code-panel.ts';
import { readPanels } from './read-panels.ts';
import { renderDocsPage } from './render-docs-page.ts';

// So that what waits for the operator that is down still waits when it is cancelled, on a slow machine too.
const contract = await openContract({ SANDBOX_DELAY_MS: '1000' });
after(() => contract.close());

const [start = '', ...articles] = renderDocsPage(describeService()).split(
  '<article class="pair" id="',
);
const examples = new Map(
  articles.flatMap((article) => {
    const [request, answer] = readPanels(article);
    // A file to be saved is no text on the page.
    if (answer === undefined) return [];
    assert.match(answer?.title ?? '', /^Answer 20[01]$/);
    const id = article.slice(0, article.indexOf('"'));
    return [
      [
        id,
        {
          command: request?.code ?? '',
          answer: JSON.parse(answer?.code ?? ''),
          status: answer?.title,
        },
      ] as const,
    ];
  }),
);

/** What the examples call by their ids, by the ids that it has here. */
const realIds = new Map<string, string>([[EXAMPLE_IDS.wallet, contract.merchant.wallets.test.ZMW]]);

await storeFiles();
await storeWaiting();

type Fields = Readonly<Record<string, unknown>>;
type Answer = Readonly<{ title: string; headers: readonly string[]; body: Fields }>;

/** The headers that a program may need, in their spelling in the document. */
const TOLD_HEADERS = ['Location', 'Idempotent-Replayed'];

/** Types a command of the page into a shell, with the address and the ids of this service. */
async function run(command: string): Promise<Answer> {
  let script = command.replaceAll(ORIGIN, contract.service.baseUrl);
  for (const [example, real] of realIds) script = script.replaceAll(example, real);
  const child = spawn(
    'bash',
    ['-c', `curl() { command curl -sS -i -w '\\n%{http_code}' "$@"; }\n${script}`],
    {
      env: {
        PATH: process.env.PATH ?? '',
        KAFUE_KEY: contract.merchant.keys.test,
        WALLET_ID: contract.merchant.wallets.test.ZMW,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const chunks: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
  await once(child, 'close');
  const output = chunks.join('');
  const start = output.indexOf('\r\n\r\n');
  const end = output.lastIndexOf('\n');
  const head = output.slice(0, start).toLowerCase();
  return {
    title: `Answer ${output.slice(end + 1)}`,
    headers: TOLD_HEADERS.filter((name) => head.includes(`\r\n${name.toLowerCase()}: `)),
    body: JSON.parse(output.slice(start, end)),
  };
}

/** Of these only the type is compared: they depend on the time, or on what else happened in the book. */
const VARYING = new Set(
  (
    'available held availableAfter heldAfter nextCursor operatorTransactionId cause actor secret ' +
    'nextAttemptAt replayed contentHash'
  ).split(' '),
);
/** They show what comes from outside, or the newest of a list that the other examples have added to. */
const SHAPE_ONLY = [
  'listPostings',
  'listEvents',
  'replayDelivery',
  'getPolicy',
  'recallTransfer',
  'createSchedule',
  'listSchedules',
  'previewDates',
  'getSchedule',
  'changeSchedule',
  'pauseSchedule',
  'endSchedule',
  'resumeSchedule',
  'getNextDates',
  'getCalendar',
  'listHolidays',
  ...Object.keys(PAYOUT_FILE_EXAMPLES),
];
const ID_OR_TIME = /^[0-9a-f]{8}-[0-9a-f-]{27}$|^\d{4}-\d\d-\d\dT[\d:.]+Z$|^evt_[0-9a-f]{32}_\d+$/;

/** How an answer differs from the one that the page shows. Learns the real ids on the way. */
function differences(shown: unknown, real: unknown, path: string, isShape: boolean): string[] {
  if (Array.isArray(shown) && Array.isArray(real)) {
    if (shown.length === 0 || real.length === 0) return [];
    const [first] = shown;
    const known = realIds.get(String(Object(first).id));
    const like = real.find((item) => Object(item).id === known) ?? real[0];
    return differences(first, like, `${path}[0]`, isShape);
  }
  if (isFields(shown) && isFields(real)) {
    const missing = Object.keys(shown).filter((name) => !(name in real));
    const more = Object.keys(real).filter((name) => !(name in shown));
    return [
      ...[...missing, ...more].map((name) => `${path}.${name} is only on one side`),
      ...Object.entries(shown).flatMap(([name, value]) =>
        name in real ? differences(value, real[name], `${path}.${name}`, isShape) : [],
      ),
    ];
  }
  const name = path.split('.').at(-1) ?? '';
  if (typeof shown === 'string' && typeof real === 'string' && ID_OR_TIME.test(shown)) {
    if (name === 'id') realIds.set(shown, real);
    return ID_OR_TIME.test(real) ? [] : [`${path}: ${real}`];
  }
  const isSameType = shown === null || real === null || typeof shown === typeof real;
  const isLike = isShape || VARYING.has(name) ? isSameType : shown === real;
  return isLike ? [] : [`${path}: ${JSON.stringify(real)}`];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function tryExample(operationId: string): Promise<string[]> {
  const example = examples.get(operationId);
  assert.ok(example !== undefined, operationId);
  const { title, headers, body } = await run(example.command);
  if (title !== example.status) return [`${title}: ${JSON.stringify(body)}`];
  const missing = headers.filter((name) => !describedHeaders(operationId, title).includes(name));
  const isMade = describedHeaders(operationId, title).includes('Location');
  return [
    ...missing.map((name) => `${name} is not described`),
    ...(isMade && !headers.includes('Location') ? ['Location does not come'] : []),
    ...(body.message === example.answer.message ? [] : [`message: ${String(body.message)}`]),
    ...differences(example.answer.data, body.data, 'data', SHAPE_ONLY.includes(operationId)),
  ];
}

/** The headers that the OpenAPI document declares for an answer, such as that with status 201. */
function describedHeaders(operationId: string, title: string): readonly string[] {
  const operations = Object.values(describeService().paths).flatMap((one) => Object.values(one));
  const operation = operations.find((one) => one.operationId === operationId);
  const response = operation?.responses[title.replace('Answer ', '')];
  const { headers = {} } = response !== undefined && 'headers' in response ? response : {};
  return TOLD_HEADERS.filter((name) => name in headers);
}

it('describes what comes again by its key', { skip: process.platform === 'win32' }, async () => {
  const commands = {
    initiateTransfer: (examples.get('initiateTransfer')?.command ?? '').replace(
      order.reference,
      'again-1',
    ),
    uploadPayoutFile: examples.get('uploadPayoutFile')?.command ?? '',
  };
  for (const [operationId, command] of Object.entries(commands)) {
    const withKey = `${command} -H 'idempotency-key: again-1'`;
    assert.deepEqual((await run(withKey)).headers, ['Location'], operationId);
    const { title, headers } = await run(withKey);
    assert.deepEqual(headers, TOLD_HEADERS, operationId);
    assert.deepEqual(describedHeaders(operationId, title), TOLD_HEADERS, operationId);
  }
});

it('pays the first payout as the page says', { skip: process.platform === 'win32' }, async () => {
  const [, wallets = '', pay = '', ask = ''] = readPanels(start).map(({ code }) => code);
  assert.equal((await run(wallets)).title, 'Answer 200');
  assert.equal((await run(pay)).title, 'Answer 201');
  await pollUntil('it is paid', async () => {
    const { body } = await run(ask);
    return Object(body.data).status === 'successful';
  });
});

it('answers every example as the page shows', { skip: process.platform === 'win32' }, async () => {
  // What waits is cancelled before it goes on, and nothing can be changed of a webhook once it is deleted, or
  // of a schedule once it has ended.
  const first = ['initiateTransfer', 'initiateTransfers', 'cancelTransfer'];
  const last = ['deleteWebhook', 'endSchedule', 'deletePayoutFile'];
  const others = [...examples.keys()].filter((id) => ![...first, ...last].includes(id));
  assert.equal(others.length, examples.size - first.length - last.length);
  for (const operationId of [...first, ...others, ...last]) {
    if (operationId === 'getTransfer') {
      await pollUntil('it is paid', async () => (await tryExample('getTransfer')).length === 0);
    }
    assert.deepEqual(await tryExample(operationId), [], operationId);
  }
});

/** The payout files that the examples are about: one to submit, one that waits for its day, one that is done. */
async function storeFiles(): Promise<void> {
  const { database, merchant, apiWith } = contract;
  const given = { bookId: merchant.books.test, walletId: merchant.wallets.test.ZMW };
  const store = (name: string, amountMinor: bigint) =>
    storeFile(database, { ...given, name, rows: [{ amountMinor }] });
  const payoutFile = await store('November salaries.csv', 100n);
  const scheduledFile = await store('December salaries.csv', 100n);
  // More than the wallet holds: its row is refused.
  const endedFile = await store('November salaries.csv', 99_999_999_999n);
  const api = apiWith(merchant.keys.test);
  const payAt = new Date(Date.now() + 60 * 60_000).toISOString();
  await api.post(`payout-files/${scheduledFile}/submit`, { payAt });
  await api.post(`payout-files/${endedFile}/submit`, {});
  await pollUntil('a file is done', async () => {
    const text = 'select state from payout_files where id = $1';
    const [row] = await database.query<{ state: string }>({ name: '', text }, [endedFile]);
    return row?.state === 'done';
  });
  realIds.set(EXAMPLE_IDS.payoutFile, payoutFile);
  realIds.set(EXAMPLE_IDS.scheduledFile, scheduledFile);
  realIds.set(EXAMPLE_IDS.endedFile, endedFile);
}

/** The transfer that waits for approval, and is recalled. */
async function storeWaiting(): Promise<void> {
  const { database, merchant } = contract;
  const book = bookOf(merchant);
  const walletId = merchant.wallets.test.ZMW;
  const { transfer } = await storeAwaiting(database, { book, walletId });
  realIds.set(EXAMPLE_IDS.awaitingTransfer, transfer.id);
}
