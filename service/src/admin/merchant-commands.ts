import { type Command, Option } from 'commander';
import { readStatement } from '../administrators/read-statement.ts';
import type { FeeTerms } from '../domain/fee.ts';
import { formatMinor } from '../domain/money.ts';
import type { Mode } from '../domain/transfer.ts';
import { createMerchant } from '../merchants/create-merchant.ts';
import type { Merchant } from '../merchants/find-merchant.ts';
import { listMerchants, type MerchantList } from '../merchants/list-merchants.ts';
import { formatPercent, readFeeFixed, readFeePercent } from '../merchants/read-fee.ts';
import { setFees } from '../merchants/set-fees.ts';
import { resumeMerchant, suspendMerchant } from '../merchants/suspend-merchant.ts';
import {
  type AdminDeps,
  type Answer,
  addCommand,
  addGroup,
  CALL,
  type Perform,
} from './add-command.ts';
import { authenticateActor } from './authenticate-actor.ts';
import { formatFields, formatTable, formatTime } from './format-table.ts';
import { inMerchantCell, withUnanswered } from './in-cell.ts';
import { addMoveCommand } from './move-commands.ts';
import { asArgument, readMode } from './read-argument.ts';

type CreateOptions = Readonly<{ feeFixed: bigint; feePercent: number; cell?: string }>;

export function addMerchantCommands(program: Command, perform: Perform): void {
  const group = addGroup(program, {
    name: 'merchants',
    description: 'Create, suspend and move merchants; set their fees',
  });
  addCommand(group, {
    name: 'create',
    description: 'Create a merchant with an empty book in each mode',
    examples: [
      'merchants create "Zambezi Tours"',
      'merchants create Kariba --fee-fixed 0.50 --fee-percent 1.5',
      'merchants create Kafue --cell second',
    ],
  })
    .argument('<name>', 'what people call it; no two merchants share a name')
    .addOption(
      new Option('--fee-fixed <amount>', 'fixed part of the fee per transfer')
        .argParser(asArgument(readFeeFixed))
        .default(0n, '0'),
    )
    .option('--fee-percent <percent>', 'percentage of the amount', asArgument(readFeePercent), 0)
    .option(
      '--cell <cell>',
      'where it is placed; the open cell with the fewest books when none is named',
    )
    .action((name: string, options: CreateOptions) =>
      perform((deps) => {
        const feeTerms = toTerms(options.feeFixed, options.feePercent);
        return create(deps, { name, feeTerms, cell: options.cell });
      }),
    );
  addCommand(group, {
    name: 'list',
    description: 'List all merchants',
    examples: ['merchants list', 'merchants list --json'],
  }).action(() => perform(list));
  addCommand(group, {
    name: 'fees',
    description: 'Set the fees of a merchant in one mode',
    examples: ['merchants fees "Zambezi Tours" --mode live --fixed 0.50 --percent 1.5'],
    notes: 'Holds for transfers accepted from now on.',
  })
    .argument('<merchant>', 'its name or id')
    .requiredOption('--mode <mode>', 'test or live', readMode)
    .requiredOption('--fixed <amount>', 'fixed part per transfer', asArgument(readFeeFixed))
    .requiredOption('--percent <percent>', 'percentage of the amount', asArgument(readFeePercent))
    .action((merchant: string, options: { mode: Mode; fixed: bigint; percent: number }) =>
      perform((deps) => {
        const feeTerms = toTerms(options.fixed, options.percent);
        return changeFees(deps, { merchant, mode: options.mode, feeTerms });
      }),
    );
  addSuspend(group, perform);
  addMoveCommand(group, perform);
}

function addSuspend(group: Command, perform: Perform): void {
  addCommand(group, {
    name: 'suspend',
    description: 'Stop the payouts of a merchant in both books',
    examples: ['merchants suspend "Zambezi Tours" --reason "stolen key, ticket 4711"'],
    notes:
      'Its keys can read and cancel, and start nothing. Every process obeys within a second. Queued payouts wait until the merchant is resumed, or are cancelled; the service still inquires about sent ones.',
  })
    .argument('<merchant>', 'its name or id')
    .requiredOption('--reason <text>', 'why, for the record', asArgument(readStatement))
    .action((merchant: string, { reason }: { reason: string }) =>
      perform((deps) => suspend(deps, { merchant, reason })),
    );
  addCommand(group, {
    name: 'resume',
    description: 'Let a suspended merchant pay again',
    examples: ['merchants resume "Zambezi Tours" --reason "new keys issued, ticket 4711"'],
    notes: 'Queued payouts are sent first.',
  })
    .argument('<merchant>', 'its name or id')
    .requiredOption('--reason <text>', 'why, for the record', asArgument(readStatement))
    .action((merchant: string, { reason }: { reason: string }) =>
      perform((deps) => resume(deps, { merchant, reason })),
    );
}

type SuspendOptions = Readonly<{ merchant: string; reason: string }>;

async function suspend(deps: AdminDeps, options: SuspendOptions): Promise<Answer> {
  const actor = await authenticateActor(deps);
  const { inside, place } = await inMerchantCell(deps, options.merchant);
  const request = { actor, merchant: place.id, reason: options.reason };
  const merchant = await suspendMerchant(inside, request);
  return {
    json: { merchant: toJson(merchant) },
    text: `Suspended, within a second in every process. What is queued waits.\n\n${describe(merchant)}`,
  };
}

async function resume(deps: AdminDeps, options: SuspendOptions): Promise<Answer> {
  const actor = await authenticateActor(deps);
  const { inside, place } = await inMerchantCell(deps, options.merchant);
  const request = { actor, merchant: place.id, reason: options.reason };
  const merchant = await resumeMerchant(inside, request);
  return {
    json: { merchant: toJson(merchant) },
    text: `Resumed, within a second in every process.\n\n${describe(merchant)}`,
  };
}

function toTerms(fixedMinor: bigint, basisPoints: number): FeeTerms {
  return { fixedMinor, basisPoints };
}

async function create(
  deps: AdminDeps,
  request: Readonly<{ name: string; feeTerms: FeeTerms; cell: string | undefined }>,
): Promise<Answer> {
  const actor = await authenticateActor(deps);
  const merchant = await createMerchant(deps, { actor, ...request });
  const next = `Next: ${CALL} keys create --merchant ${merchant.id} --mode test`;
  return {
    json: { merchant: toJson(merchant) },
    text: `Merchant created.\n\n${describe(merchant)}\n\n${next}`,
  };
}

async function list(deps: AdminDeps): Promise<Answer> {
  const { merchants, more, unansweredCells } = await listMerchants(deps);
  const json = { merchants: merchants.map(toListedJson), more, unansweredCells };
  if (merchants.length === 0) {
    const text = `There are no merchants yet. Create one: ${CALL} merchants create NAME`;
    return { json, text: withUnanswered(text, unansweredCells) };
  }
  const hasSeveral = deps.cells.list().length > 1;
  const table = formatTable(
    [
      { title: 'name' },
      { title: 'id' },
      { title: 'live keys', align: 'right' },
      { title: 'wallets', align: 'right' },
      { title: 'fee in test' },
      { title: 'fee in live' },
      { title: 'created' },
      { title: 'suspended' },
      ...(hasSeveral ? [{ title: 'cell' }] : []),
    ],
    merchants.map(({ name, id, liveKeys, wallets, books, createdAt, suspendedAt, cell }) => [
      name,
      id,
      String(liveKeys),
      String(wallets),
      formatFee(books.test.feeTerms),
      formatFee(books.live.feeTerms),
      formatTime(createdAt),
      formatTime(suspendedAt),
      ...(hasSeveral ? [cell] : []),
    ]),
  );
  const text = more ? `${table}\n… and more, which are not listed.` : table;
  return { json, text: withUnanswered(text, unansweredCells) };
}

async function changeFees(
  deps: AdminDeps,
  request: Readonly<{ merchant: string; mode: Mode; feeTerms: FeeTerms }>,
): Promise<Answer> {
  const actor = await authenticateActor(deps);
  const { inside, place } = await inMerchantCell(deps, request.merchant);
  const merchant = await setFees(inside, { actor, ...request, merchant: place.id });
  return {
    json: { merchant: toJson(merchant) },
    text: `Fees changed for new transfers, within a second in every process.\n\n${describe(merchant)}`,
  };
}

function describe({ id, name, books, suspendedAt }: Merchant): string {
  return formatFields([
    ['name', name],
    ['id', id],
    ['fee in test', formatFee(books.test.feeTerms)],
    ['fee in live', formatFee(books.live.feeTerms)],
    ['suspended', suspendedAt === null ? 'no' : `since ${formatTime(suspendedAt)}`],
  ]);
}

function formatFee({ fixedMinor, basisPoints }: FeeTerms): string {
  return `${formatMinor(fixedMinor)} + ${formatPercent(basisPoints)}%`;
}

function toJson({ id, name, createdAt, suspendedAt, books }: Merchant) {
  const feesOf = ({ fixedMinor, basisPoints }: FeeTerms) => ({
    fixed: formatMinor(fixedMinor),
    percent: formatPercent(basisPoints),
  });
  return {
    id,
    name,
    createdAt,
    suspendedAt,
    fees: { test: feesOf(books.test.feeTerms), live: feesOf(books.live.feeTerms) },
  };
}

function toListedJson(merchant: MerchantList['merchants'][number]) {
  const { liveKeys, wallets, cell } = merchant;
  return { ...toJson(merchant), liveKeys, wallets, cell };
}
