import { join } from 'node:path';
import { OPERATORS_FOLDER, type RunFacts } from '../journal/exchange-record.ts';
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
}>;

/** Money that moved. */
export type Executed = Readonly<{
  payoutId: string;
  reference: string;
  msisdn: string;
  amountMinor: string;
  currency: string;
}>;

/** What an operator says it did, in its own file, which the service never sees. */
export type OperatorBook = Readonly<{
  name: string;
  routes: readonly string[];
  taken: readonly Taken[];
  executed: readonly Executed[];
}>;

type Line = Readonly<{
  kind: string;
  payoutId: string;
  ourReference?: string;
  msisdn?: string;
  amountMinor?: string;
  currency?: string;
  behaviour?: Readonly<Record<string, unknown>>;
  behaviourName?: string;
  book?: Readonly<Record<'ourReference' | 'msisdn' | 'amountMinor' | 'currency', string>>;
}>;

export async function readBooks(
  runFolder: string,
  { operators }: RunFacts,
): Promise<readonly OperatorBook[]> {
  return Promise.all(
    operators.map(async ({ name, routes }) => {
      const path = join(runFolder, OPERATORS_FOLDER, name, `${name}.book`);
      const lines = await readLines<Line>(path);
      return {
        name,
        routes,
        taken: lines.filter(({ kind }) => kind === 'accepted').map(toTaken),
        executed: lines.filter(({ kind }) => kind === 'executed').map(toExecuted),
      };
    }),
  );
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
