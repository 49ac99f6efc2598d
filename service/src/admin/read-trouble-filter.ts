import { type Command, Option } from 'commander';
import { OPERATORS, type Operator } from '../domain/operator.ts';
import type { Mode } from '../domain/transfer.ts';
import type { TroubleFilter } from '../transfers/read/trouble-filter.ts';
import type { AdminDeps } from './add-command.ts';
import { readMerchantId } from './in-cell.ts';

export type TroubleOptions = Readonly<{
  mode: Mode | 'all';
  merchant?: string;
  operator?: Operator;
}>;

/** `--mode`, `--merchant` and `--operator`. Test books are for trying out, so live ones are the default. */
export function addTroubleOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--mode <mode>', 'books of this mode')
        .choices(['live', 'test', 'all'])
        .default('live'),
    )
    .option('--merchant <name-or-id>', 'only of this merchant')
    .addOption(new Option('--operator <operator>', 'only of this operator').choices(OPERATORS));
}

export async function readTroubleFilter(
  deps: Pick<AdminDeps, 'directory'>,
  { mode, merchant, operator }: TroubleOptions,
): Promise<TroubleFilter> {
  return {
    mode: mode === 'all' ? null : mode,
    merchantId: await readMerchantId(deps, merchant),
    operator: operator ?? null,
  };
}

/** What a list that is empty was about. */
export function describeTroubleFilter({ mode, merchantId, operator }: TroubleFilter): string {
  const books = mode === null ? 'any book' : `a ${mode} book`;
  const whose = merchantId === null ? '' : ' of this merchant';
  const where = operator === null ? '' : ` at ${operator}`;
  const hint = mode === 'live' ? ' "--mode all" lists test books too.' : '';
  return `in ${books}${whose}${where}.${hint}`;
}
