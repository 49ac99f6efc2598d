import type { Kafue } from '../../../sdk/src/index.ts';
import { CliProblem, EXIT } from '../cli-problem.ts';
import type { LineProblem, Payout } from '../payout-file/payout.ts';
import type { PayoutFile } from '../payout-file/read-payout-file.ts';
import { findCancelled } from './find-cancelled.ts';
import type { FindDeps } from './find-sent.ts';
import { findWaiting, type Waiting } from './find-waiting.ts';
import { readOperatorTerms } from './operator-terms.ts';
import { type PlannedLine, planBlindly, planPayouts } from './plan-payouts.ts';
import { isFrozen, readWallets, type WalletView, whatIsMissing } from './read-wallets.ts';
import { type Totals, totalPayouts } from './total-payouts.ts';

/** What is shown before the first payment: planned lines, totals, fees, wallets and warnings. */
export type Preparation = Readonly<{
  lines: readonly PlannedLine[];
  /** Totals of the lines that are still to pay. */
  totals: Totals;
  feesAreKnown: boolean;
  wallets: readonly WalletView[];
  /** Warnings about lines that are still to pay, or cannot be paid again. */
  warnings: readonly LineProblem[];
  /** About several lines at once. */
  notes: readonly string[];
  /** Why nothing may be sent, although all lines are well-formed. */
  stoppedBy: CliProblem | undefined;
}>;

export type PrepareRules = Readonly<{
  retryFailed: boolean;
  /** Pay lines that a person cancelled or rejected. */
  allowCancelled: boolean;
  /** Pay lines that another file may pay too. */
  allowSimilar: boolean;
}>;

export type PrepareDeps = Omit<FindDeps, 'kafue'> &
  Readonly<{ kafue: Pick<Kafue, 'transfers' | 'operators' | 'wallets' | 'payoutFiles'> }>;

/** Finds out what was sent before, what the rest costs, and whether the wallets hold it. */
export async function preparePayment(
  deps: PrepareDeps,
  file: PayoutFile,
  rules: PrepareRules,
): Promise<Preparation> {
  const terms = await readOperatorTerms(deps.kafue);
  // Read before the transfers: a row that becomes a transfer in between is then found there.
  const waiting = await findWaiting(deps);
  const { retryFailed } = rules;
  const plan = await planPayouts(deps, file.payouts, { retryFailed, waiting: waiting.rows });
  const payouts = toPay(plan.lines);
  const totals = totalPayouts(payouts, terms.feeMinorOf);
  return {
    lines: plan.lines,
    totals,
    feesAreKnown: true,
    wallets: await readWallets(deps.kafue, totals.byWallet),
    warnings: [...plan.notes, ...warningsOf(file, payouts)],
    notes: terms.warnOf(payouts),
    stoppedBy: await findStop(deps, payouts, { ...rules, waiting }),
  };
}

/** The preparation of a dry run without a key: no fees, balances or earlier payouts are known. */
export function prepareOffline(file: PayoutFile): Preparation {
  const { lines } = planBlindly(file.payouts);
  return {
    lines,
    totals: totalPayouts(file.payouts, noFee),
    feesAreKnown: false,
    wallets: [],
    warnings: file.warnings,
    notes: [],
    stoppedBy: undefined,
  };
}

async function findStop(
  deps: PrepareDeps,
  payouts: readonly Payout[],
  { allowCancelled, allowSimilar, waiting }: PrepareRules & Readonly<{ waiting: Waiting }>,
): Promise<CliProblem | undefined> {
  for (const payout of allowSimilar ? [] : payouts) {
    const other = waiting.findOther(payout);
    if (other === undefined) continue;
    return new CliProblem(
      EXIT.incomplete,
      `The payout file ${other.name} (${other.id}), which is ${other.state}, pays the same number and amount, or ` +
        `the same reference, as lines of this file, first line ${payout.line}. Nothing was sent.`,
      'Look at it in the console. To pay these lines beside it, give --allow-similar.',
    );
  }
  return allowCancelled || payouts.length === 0 ? undefined : findCancelled(deps, payouts);
}

export function toPay(lines: readonly PlannedLine[]): readonly Payout[] {
  return lines.flatMap(({ payout, outcome }) => (outcome === undefined ? [payout] : []));
}

function noFee(): bigint {
  return 0n;
}

function warningsOf({ warnings }: PayoutFile, payouts: readonly Payout[]): readonly LineProblem[] {
  const lines = new Set<number | null>(payouts.map(({ line }) => line));
  return warnings.filter(({ line }) => lines.has(line));
}

/** Refuses a payment that the wallets cannot pay in full, unless `allowShort` is set. */
export function checkBalances(
  wallets: readonly WalletView[],
  { allowShort }: Readonly<{ allowShort: boolean }>,
): void {
  const frozen = wallets.find(isFrozen);
  if (frozen !== undefined) {
    throw new CliProblem(
      EXIT.balanceShort,
      `Wallet ${frozen.total.walletId} is frozen. Nothing was sent.`,
      'Ask the company that runs the service why, or give another --wallet.',
    );
  }
  const short = wallets.find((view) => whatIsMissing(view) !== undefined);
  if (short === undefined || allowShort) return;
  throw new CliProblem(
    EXIT.balanceShort,
    `Wallet ${short.total.walletId} is short: ${whatIsMissing(short)}. Nothing was sent.`,
    'Fund it and run the same command again, or pay as far as it goes: --allow-short-balance.',
  );
}
