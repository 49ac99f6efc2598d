import type { Book } from '../domain/book.ts';
import type { FloatVerdict } from '../domain/float.ts';
import { type Country, currencyOf, type Operator } from '../domain/operator.ts';
import type { RowField } from '../domain/payout-file/row-fields.ts';
import type { RowProblemCode, RowWarningCode } from '../domain/payout-file/row-problem.ts';
import { judgeFloats } from '../floats/judge-floats.ts';
import { readSpendable, type Spendable } from '../ledger/read-spendable.ts';
import { preferOpen } from '../operators/routes/choose-route.ts';
import type { Routes } from '../operators/routes/route.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { findFile } from './find-file.ts';
import type { FileState, PayoutFile } from './payout-file.ts';

/** How often one kind of problem or warning occurs among the rows that are not dropped. */
type ProblemKind = Readonly<{
  code: RowProblemCode | RowWarningCode;
  field: RowField;
  isWarning: boolean;
  count: number;
}>;

/** What goes to one operator, and whether it takes payouts now. */
type OperatorTotal = Readonly<{
  operator: Operator;
  country: Country;
  count: number;
  sumMinor: bigint;
  feeMinor: bigint;
  isOpen: boolean;
  /** Whether the float is enough for what is not a transfer yet; null: nothing is left to be paid. */
  float: FloatVerdict | null;
  minMinor: bigint | null;
  maxMinor: bigint | null;
}>;

/** Another file that was uploaded with the same bytes. */
type SameUpload = Readonly<{ id: string; name: string; state: FileState; createdAt: Date }>;

export type FileDescription = Readonly<{
  file: PayoutFile;
  feeMinor: bigint;
  problemKinds: readonly ProblemKind[];
  operators: readonly OperatorTotal[];
  /** Null: none is chosen. */
  wallet: Spendable | null;
  sameUploads: readonly SameUpload[];
}>;

const SAME_UPLOADS_MAX = 5;

type DescribeDeps = Readonly<{
  database: Queryable;
  /** For the floats of routes. */
  directory: Queryable;
  routes: Routes;
}>;

/** A file with everything that a person looks at before paying it. */
export async function describeFile(
  deps: DescribeDeps,
  { book, id }: Readonly<{ book: Book; id: string }>,
): Promise<FileDescription> {
  const { database } = deps;
  const file = await findFile(database, { bookId: book.id, id });
  const isEnded = file.state === 'done' || file.state === 'cancelled';
  const operators = await totalOperators(deps, book, { id, isEnded });
  const { walletId, uploadHash } = file;
  const wallet =
    walletId === null
      ? undefined
      : await readSpendable(database, { bookId: book.id, id: walletId });
  const kinds = await database.query<KindRow>(KINDS, [book.id, id]);
  const same =
    uploadHash === null
      ? []
      : await database.query<SameRow>(SAME, [
          book.id,
          Buffer.from(uploadHash, 'hex'),
          id,
          SAME_UPLOADS_MAX,
        ]);
  return {
    file,
    feeMinor: operators.reduce((sum, { feeMinor }) => sum + feeMinor, 0n),
    problemKinds: kinds.map(({ code, field, is_warning, count }) => ({
      code,
      field,
      isWarning: is_warning,
      count: Number(count),
    })),
    operators,
    wallet: wallet ?? null,
    sameUploads: same.map((row) => ({
      id: row.id,
      name: row.name,
      state: row.state,
      createdAt: row.created_at,
    })),
  };
}

async function totalOperators(
  { database, directory, routes }: DescribeDeps,
  { id: bookId, mode }: Book,
  { id: fileId, isEnded }: Readonly<{ id: string; isEnded: boolean }>,
): Promise<readonly OperatorTotal[]> {
  const rows = await database.query<TotalRow>(TOTALS, [bookId, fileId]);
  const chosen = rows.map(({ operator, country }) =>
    preferOpen(routes.list({ mode, operator, country })),
  );
  const needs = rows.map(({ country, unpaid_minor: neededMinor }, index) => ({
    route: chosen[index],
    currency: currencyOf(country),
    neededMinor: isEnded ? 0n : neededMinor,
  }));
  const verdicts = await judgeFloats(directory, needs);
  return rows.map(({ operator, country, count, sum_minor, fee_minor }, index) => {
    const route = chosen[index];
    const bounds = route?.bounds();
    return {
      operator,
      country,
      count: Number(count),
      sumMinor: sum_minor,
      feeMinor: fee_minor,
      isOpen: route !== undefined && !route.limiter.isShut(),
      float: verdicts[index] ?? null,
      minMinor: bounds?.minMinor ?? null,
      maxMinor: bounds?.maxMinor ?? null,
    };
  });
}

type TotalRow = {
  operator: Operator;
  country: Country;
  count: bigint;
  sum_minor: bigint;
  fee_minor: bigint;
  unpaid_minor: bigint;
};
type KindRow = {
  code: RowProblemCode | RowWarningCode;
  field: RowField;
  is_warning: boolean;
  count: bigint;
};
type SameRow = { id: string; name: string; state: FileState; created_at: Date };

const TOTALS: Statement = {
  name: 'total-payout-file',
  text: `
    select r.operator, r.country, count(*) as count, sum(r.amount_minor)::bigint as sum_minor,
           sum(r.fee_minor)::bigint as fee_minor,
           coalesce(sum(r.amount_minor) filter (where r.state in ('ready', 'problem', 'waiting')), 0)::bigint
             as unpaid_minor
    from payout_file_rows r
    where r.book_id = $1 and r.file_id = $2 and r.state <> 'dropped'
      and r.operator is not null and r.country is not null and r.amount_minor is not null
    group by r.operator, r.country
    order by sum_minor desc`,
};

const KINDS: Statement = {
  name: 'count-row-problems',
  text: `
    select p.problem->>'code' as code, p.problem->>'field' as field, p.is_warning, count(*) as count
    from payout_file_rows r
    cross join lateral (
      select problem, false as is_warning from jsonb_array_elements(r.problems) problem
      union all
      select problem, true from jsonb_array_elements(r.warnings) problem
    ) p
    where r.book_id = $1 and r.file_id = $2 and r.state <> 'dropped'
      and (r.problems <> '[]' or r.warnings <> '[]')
    group by 1, 2, 3
    order by p.is_warning, count desc, 1, 2`,
};

const SAME: Statement = {
  name: 'find-same-uploads',
  text: `
    select f.id, f.name, f.state, f.created_at
    from payout_files f
    where f.book_id = $1 and f.upload_hash = $2 and f.id <> $3 and f.state <> 'checking' and f.problem_code is null
    order by f.id desc
    limit $4`,
};
