import { join } from 'node:path';
import {
  type KeptQuestions,
  OPERATORS_FOLDER,
  QUESTIONS_FILE,
  type RunFacts,
} from '../journal/exchange-record.ts';
import { readLines } from './read-lines.ts';

/** A payout as the operator wrote it down when it came in. */
export type Taken = Readonly<{
  payoutId: string;
  /** Our reference, without dashes: not every operator takes them. */
  reference: string;
  msisdn: string;
  amountMinor: string;
  currency: string;
  behaviourName: string;
  behaviour: Readonly<Record<string, unknown>>;
  receivedAt: string;
}>;

/** Money that moved. */
export type Executed = Readonly<{
  payoutId: string;
  reference: string;
  msisdn: string;
  amountMinor: string;
  currency: string;
}>;

type Arrival = Readonly<{ account: string; reference: string; receivedAt: string }>;

/** What an operator says it did, in its own files, which the service never sees; of all accounts there. */
export type OperatorBook = Readonly<{
  name: string;
  routes: readonly string[];
  taken: readonly Taken[];
  executed: readonly Executed[];
  /** Every submission that came, also those that it did not take and those that it recognised. */
  arrivals: readonly Arrival[];
  /** What it was asked up to some moment; undefined: it was killed and does not know. */
  questions: Questions | undefined;
}>;

type Questions = Readonly<{
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
          .map(({ ourReference = '', receivedAt = '' }) => ({
            account: name,
            reference: withoutDashes(ourReference),
            receivedAt,
          })),
        questions: await readQuestions(join(folder, QUESTIONS_FILE)),
      };
    }),
  );
  return [...Map.groupBy(accounts, ({ name }) => name).values()].flatMap(joinAccounts);
}

/** A transfer may have been sent to any account: it is looked for in all of them. */
function joinAccounts(accounts: readonly OperatorBook[]): readonly OperatorBook[] {
  const [first, ...others] = accounts;
  if (first === undefined || others.length === 0) return accounts;
  const questions = accounts.flatMap((account) => account.questions ?? []);
  return [
    {
      name: first.name,
      routes: accounts.flatMap(({ routes }) => routes),
      taken: accounts.flatMap(({ taken }) => taken),
      executed: accounts.flatMap(({ executed }) => executed),
      arrivals: accounts.flatMap(({ arrivals }) => arrivals),
      questions:
        questions.length < accounts.length
          ? undefined
          : {
              keptAt: questions.map(({ keptAt }) => keptAt).sort()[0] ?? '',
              paths: questions.flatMap(({ paths }) => paths),
              sent: questions.flatMap(({ sent }) => sent),
            },
    },
  ];
}

async function readQuestions(path: string): Promise<Questions | undefined> {
  const [kept] = await readLines<KeptQuestions>(path).catch(() => []);
  if (kept === undefined) return undefined;
  return { ...kept, paths: kept.paths.map(withoutDashes) };
}

export function withoutDashes(reference: string): string {
  return reference.replaceAll('-', '').toLowerCase();
}

function toTaken(line: Line): Taken {
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

function toExecuted({ payoutId, book }: Line): Executed {
  return {
    payoutId,
    reference: withoutDashes(book?.ourReference ?? ''),
    msisdn: book?.msisdn ?? '',
    amountMinor: book?.amountMinor ?? '',
    currency: book?.currency ?? '',
  };
}
