import { join } from 'node:path';
import {
  OPERATORS_FOLDER,
  type OperatorRequests,
  REQUESTS_FILE,
  type RunFacts,
} from '../journal/exchange-record.ts';
import { readLines } from './read-lines.ts';

/** A payout as the operator recorded it on arrival. */
export type AcceptedPayout = Readonly<{
  payoutId: string;
  /** Our reference without dashes, because not every operator accepts dashes. */
  reference: string;
  msisdn: string;
  amountMinor: string;
  currency: string;
  behaviourName: string;
  behaviour: Readonly<Record<string, unknown>>;
  receivedAt: string;
}>;

/** An executed payment. */
export type ExecutedPayout = Readonly<{
  payoutId: string;
  reference: string;
  msisdn: string;
  amountMinor: string;
  currency: string;
}>;

type Arrival = Readonly<{
  account: string;
  reference: string;
  receivedAt: string;
  /** It is sent again in the same turn, with a new token. */
  isRefusedForToken: boolean;
}>;

/** The acts of an operator in all its accounts, from its own files, which the service never sees. */
export type OperatorBook = Readonly<{
  name: string;
  routes: readonly string[];
  taken: readonly AcceptedPayout[];
  executed: readonly ExecutedPayout[];
  /** Every submission that arrived, including refused ones and duplicates. */
  arrivals: readonly Arrival[];
  /** The requests that reached it up to some moment; undefined: it was killed and the list is incomplete. */
  requests: Requests | undefined;
}>;

type Requests = Readonly<{
  keptAt: string;
  /** Without dashes. */
  paths: readonly string[];
  sent: readonly string[];
}>;

type Line = Readonly<{
  kind: string;
  payoutId: string;
  ourReference?: string;
  msisdn?: string;
  amountMinor?: string;
  currency?: string;
  receivedAt?: string;
  behaviour?: Readonly<Record<string, unknown>>;
  behaviourName?: string;
  book?: Readonly<Record<'ourReference' | 'msisdn' | 'amountMinor' | 'currency', string>>;
}>;

export async function readBooks(
  runFolder: string,
  { operators }: RunFacts,
): Promise<readonly OperatorBook[]> {
  const accounts = await Promise.all(
    operators.map(async ({ name, kind, routes }): Promise<OperatorBook> => {
      const folder = join(runFolder, OPERATORS_FOLDER, name);
      const lines = await readLines<Line>(join(folder, `${kind}.book`));
      return {
        name: kind,
        routes,
        taken: lines.filter((line) => line.kind === 'accepted').map(toTaken),
        executed: lines.filter((line) => line.kind === 'executed').map(toExecuted),
        arrivals: lines
          .filter(({ kind: entry }) => entry === 'accepted' || entry === 'repeated')
          .map(({ ourReference = '', receivedAt = '', behaviour }) => ({
            account: name,
            reference: withoutDashes(ourReference),
            receivedAt,
            isRefusedForToken: behaviour?.['answer'] === 'tokenExpired',
          })),
        requests: await readRequests(join(folder, REQUESTS_FILE)),
      };
    }),
  );
  return [...Map.groupBy(accounts, ({ name }) => name).values()].flatMap(joinAccounts);
}

/** Joins the accounts of an operator, because a transfer may have been sent to any of them. */
function joinAccounts(accounts: readonly OperatorBook[]): readonly OperatorBook[] {
  const [first, ...others] = accounts;
  if (first === undefined || others.length === 0) return accounts;
  const requests = accounts.flatMap((account) => account.requests ?? []);
  return [
    {
      name: first.name,
      routes: accounts.flatMap(({ routes }) => routes),
      taken: accounts.flatMap(({ taken }) => taken),
      executed: accounts.flatMap(({ executed }) => executed),
      arrivals: accounts.flatMap(({ arrivals }) => arrivals),
      requests:
        requests.length < accounts.length
          ? undefined
          : {
              keptAt: requests.map(({ keptAt }) => keptAt).sort()[0] ?? '',
              paths: requests.flatMap(({ paths }) => paths),
              sent: requests.flatMap(({ sent }) => sent),
            },
    },
  ];
}

async function readRequests(path: string): Promise<Requests | undefined> {
  const [kept] = await readLines<OperatorRequests>(path).catch(() => []);
  if (kept === undefined) return undefined;
  return { ...kept, paths: kept.paths.map(withoutDashes) };
}

export function withoutDashes(reference: string): string {
  return reference.replaceAll('-', '').toLowerCase();
}

function toTaken(line: Line): AcceptedPayout {
  return {
    payoutId: line.payoutId,
    reference: withoutDashes(line.ourReference ?? ''),
    msisdn: line.msisdn ?? '',
    amountMinor: line.amountMinor ?? '',
    currency: line.currency ?? '',
    behaviourName: line.behaviourName ?? '',
    receivedAt: line.receivedAt ?? '',
    behaviour: line.behaviour ?? {},
  };
}

function toExecuted({ payoutId, book }: Line): ExecutedPayout {
  return {
    payoutId,
    reference: withoutDashes(book?.ourReference ?? ''),
    msisdn: book?.msisdn ?? '',
    amountMinor: book?.amountMinor ?? '',
    currency: book?.currency ?? '',
  };
}
