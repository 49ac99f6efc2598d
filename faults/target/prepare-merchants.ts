import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../service/src/postgres/database.ts';
import { nameResolved, type Recipient } from '../../service/src/recipients/recipient.ts';
import { storeRecipient } from '../../service/src/recipients/store-recipient.ts';
import { DIRECTORY, MAIN_CELL, searchPathOf } from '../../service/src/schema/service-schema.ts';
import type { CellPlace } from '../../service/test/make-cell.ts';
import { createTestMerchant } from '../../service/test/test-merchant.ts';
import type { ControlAccess } from '../clients/controls/control-access.ts';
import { RECIPIENT_PHONES } from '../clients/probe-tenancy.ts';
import type { SteadyMerchant } from '../clients/run-steady.ts';
import type { Access } from '../clients/write-body.ts';
import { FACTS_FILE, type RunFacts } from '../journal/exchange-record.ts';
import { NAMES, NARRATIONS } from '../plan/make-orders.ts';
import type { Mode } from '../plan/plan.ts';
import { addCells } from './add-cells.ts';
import { createEndpoint } from './create-endpoint.ts';
import { findPostmaster } from './data-folder.ts';
import { prepareControls } from './prepare-controls.ts';
import { queryOnce } from './query-once.ts';
import { ROUTE_TIME_SCALE, type TestSystem } from './test-system.ts';
import { pollUntil } from './wait-for-quiet.ts';

/** Minimum length of a canary, so that it does not appear in a log by chance. */
const HOUR_MS = 3_600_000;
const SECRET_LENGTH_MIN = 12;
const SERVED_TIMEOUT_MS = 30_000;
const MERCHANTS_OF_ONE = 6;

/**
 * Creates a paying merchant with webhook endpoints, and a second merchant that must not see the first one's data. Where
 * there are several cells, the second is in the main one, and the others are in the last of the same server.
 */
export async function prepareMerchants(system: TestSystem): Promise<
  Readonly<{
    access: Access;
    controlAccess: ControlAccess | null;
    steady: readonly SteadyMerchant[];
  }>
> {
  const postmaster = await findPostmaster(system.database.dataDir);
  if (postmaster === undefined) throw new Error('the database is not running');
  const { cellServer: server } = system;
  const { cells: plan } = system.plan;
  if (plan !== undefined) {
    system.cells.splice(
      0,
      system.cells.length,
      ...(await addCells(postmaster.databaseUrl, { plan, server })),
    );
  }
  const cell = system.cells.findLast(({ isFar }) => !isFar) ?? MAIN_CELL;
  const database = openCell(postmaster.databaseUrl, cell);
  const main = openCell(postmaster.databaseUrl, MAIN_CELL);
  try {
    const steady =
      server === undefined ? [] : await createSteadyMerchants(system, postmaster.databaseUrl);
    const payer = await createTestMerchant(database);
    const other = await createTestMerchant(main);
    const { fees } = system.plan;
    await queryOnce(
      postmaster.databaseUrl,
      'update books set fee_fixed_minor = $1, fee_basis_points = $2',
      [fees.fixedMinor, fees.basisPoints],
    );
    const walletIds = Object.values(payer.wallets).flatMap((ofMode) => Object.values(ofMode));
    await queryOnce(
      postmaster.databaseUrl,
      'update wallets set daily_limit_minor = $1 where id = any ($2::uuid[])',
      [system.plan.dailyLimitMinor, walletIds],
    );
    // After the terms were set: a service remembers those of a key that it has seen for a moment.
    for (const { keys } of [payer, ...steady]) await waitUntilServed(system, keys.test);
    const access: Access = {
      keys: payer.keys,
      otherKeys: other.keys,
      otherRecipients: {
        test: await createRecipient(main, { bookId: other.books.test, mode: 'test' }),
        live: await createRecipient(main, { bookId: other.books.live, mode: 'live' }),
      },
      wallets: payer.wallets,
    };
    const { receiverUrl } = system;
    const create = (mode: Mode) =>
      createEndpoint({ port: system.servicePort(), receiverUrl, apiKey: access.keys[mode] });
    const endpoints = {
      test: { bookId: payer.books.test, ...(await create('test')) },
      live: { bookId: payer.books.live, ...(await create('live')) },
    };
    const controls =
      system.plan.controls === null
        ? null
        : await prepareControls(database, {
            plan: system.plan.controls,
            port: system.servicePort(),
            receiverUrl,
          });
    const facts: RunFacts = {
      controls: controls?.facts ?? null,
      books: payer.books,
      otherBooks: other.books,
      services: system.services.length,
      dailyLimitMinor: system.plan.dailyLimitMinor,
      endpoints,
      operators: [...system.operators].map(([name, { plan, routes }]) => ({
        name,
        kind: plan.name,
        routes: routes().map((route) => route.name),
      })),
      walletIds,
      steady: steady.map(({ name, isFar, books }) => ({ name, isFar, books })),
      calm: system.plan.calm,
      canaries: [
        ...listCanaries(system),
        ...Object.values(payer.keys),
        ...Object.values(other.keys),
        ...steady.flatMap(({ keys }) => Object.values(keys)),
        endpoints.test.secret,
        endpoints.live.secret,
        ...(controls?.canaries ?? []),
      ],
      clockMoved: system.plan.faults.some(({ kind }) => kind === 'move clock'),
      timeScale: ROUTE_TIME_SCALE,
      referenceMemoryMs: system.plan.system.referenceMemoryHours * HOUR_MS * ROUTE_TIME_SCALE,
    };
    await writeFile(join(system.folder, FACTS_FILE), `${JSON.stringify(facts, null, 2)}\n`);
    return { access, controlAccess: controls?.access ?? null, steady };
  } finally {
    await Promise.all([database.close(), main.close()]);
  }
}

/**
 * Merchants that order payouts in each cell during the whole run. One cell of the second server has so many that they
 * can take all slots of a route: a book alone gets half of them at most.
 */
async function createSteadyMerchants(
  { cells, cellServer }: TestSystem,
  firstUrl: string,
): Promise<readonly SteadyMerchant[]> {
  const second = await cellServer?.find();
  const directory = openCell(firstUrl, { schema: DIRECTORY.schema });
  const created: SteadyMerchant[] = [];
  const firstFar = cells.find(({ isFar }) => isFar);
  try {
    for (const cell of cells) {
      const { isFar } = cell;
      const database = openCell(isFar ? (second?.databaseUrl ?? '') : firstUrl, cell);
      const options = isFar ? { cell: { name: cell.name, directory } } : {};
      try {
        for (let number = 1; number <= (cell === firstFar ? MERCHANTS_OF_ONE : 1); number += 1) {
          const { books, keys, wallets } = await createTestMerchant(database, options);
          created.push({ name: `steady-${cell.name}-${number}`, isFar, books, keys, wallets });
        }
      } finally {
        await database.close();
      }
    }
  } finally {
    await directory.close();
  }
  return created;
}

function openCell(connectionString: string, cell: Pick<CellPlace, 'schema'>): Database {
  return openDatabase({
    connectionString,
    applicationName: 'faults',
    connectionsMax: 2,
    searchPath: searchPathOf(cell),
    onError: () => undefined,
  });
}

/** Until every service knows the cell of the merchant. */
async function waitUntilServed(
  { services, servicePort }: TestSystem,
  apiKey: string,
): Promise<void> {
  const { signal } = new AbortController();
  // Ports alternate: as many answers in a row as there are services come from all of them.
  let inARow = 0;
  const isServed = await pollUntil(signal, SERVED_TIMEOUT_MS, async () => {
    const url = `http://127.0.0.1:${servicePort()}/api/v1/payments/wallets`;
    const response = await fetch(url, { headers: { 'x-api-key': apiKey } });
    await response.arrayBuffer();
    inARow = response.ok ? inARow + 1 : 0;
    return inARow === services.length;
  });
  if (!isServed) throw new Error('a service does not know the cell of the merchant');
}

/** Writes directly to the database, because the API would resolve the number of a live book with the operator. */
async function createRecipient(
  database: Database,
  { bookId, mode }: Readonly<{ bookId: string; mode: Mode }>,
): Promise<string> {
  const id = randomUUID();
  const recipient: Recipient = {
    bookId,
    id,
    mode,
    phone: RECIPIENT_PHONES[mode],
    operator: 'mtn',
    country: 'zm',
    suppliedAccountName: null,
    createdAt: new Date(),
    ...nameResolved({ suppliedAccountName: null, accountName: 'Other Recipient' }),
  };
  const request = { recipient, actor: 'faults', cause: 'prepared', lookUpAgainInMs: null };
  if (!(await storeRecipient(database, request))) throw new Error('no recipient');
  return id;
}

function listCanaries({ plan, operators }: TestSystem): readonly string[] {
  const ordered = plan.clients.flatMap(({ orders }) => orders.map(({ phone }) => phone));
  const phones = [...ordered, ...Object.values(RECIPIENT_PHONES)].map((phone) =>
    phone.replace(/\D/g, '').slice(-9),
  );
  const secrets = [...operators.values()].flatMap(({ routes }) =>
    routes().flatMap(({ settings, callbackToken }) => [
      ...Object.entries(settings).flatMap(([name, value]) =>
        /secret|key|pin|token|password/i.test(name) && typeof value === 'string' ? [value] : [],
      ),
      ...(callbackToken === undefined ? [] : [callbackToken]),
    ]),
  );
  const long = secrets.filter((secret) => secret.length >= SECRET_LENGTH_MIN);
  return [...new Set([...phones, ...long, ...NAMES, ...NARRATIONS])];
}
