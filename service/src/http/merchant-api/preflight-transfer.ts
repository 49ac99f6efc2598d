import { formatMinor, minorToNumber } from '../../domain/money.ts';
import type { LimitLeft } from '../../domain/policy/order.ts';
import { REFUSALS } from '../../domain/refusal-codes.ts';
import {
  type Preflight,
  type PreflightDeps,
  type Problem,
  preflightTransfer,
} from '../../preflight/preflight-transfer.ts';
import { renderTransfer } from '../../views/render-transfer.ts';
import { PreflightBody, PreflightObject } from '../schemas/preflight-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { readPreflightOrder } from './read-transfer-command.ts';

/** The same rate as for name lookups: enough for a form that calls while a person types. */
const PREFLIGHTS_PER_SECOND = 20;
const PREFLIGHTS_BURST = 60;

export function preflightTransferOperation(deps: PreflightDeps): ApiOperation {
  return {
    method: 'POST',
    path: '/transfers/mobile-money/preflight',
    operationId: 'preflightTransfer',
    tag: 'Transfers',
    isOfPayouts: true,
    scope: 'transfers:write',
    permission: 'payouts:write',
    rateLimit: { perSecond: PREFLIGHTS_PER_SECOND, burst: PREFLIGHTS_BURST },
    summary: 'Check a transfer without paying',
    description:
      'Takes the body of a transfer, whose `reference` may be left out, and says what would become of it: ' +
      'every problem, the fee, what the wallet has, the operator, the name of the account, similar ' +
      'transfers. Nothing is stored and no money moves; the name lookup counts for the day, and ' +
      'without lookups left `recipient` is null. Broken fields are problems of a 200, too.',
    schema: { body: PreflightBody, data: { 200: PreflightObject } },
    async handle({ caller, body }) {
      const preflight = await preflightTransfer(deps, {
        book: caller.book,
        actor: caller.actor,
        ...readPreflightOrder(body ?? new Map(), deps.now),
      });
      return { status: 200, message: 'Transfer checked', data: renderPreflight(preflight) };
    },
  };
}

function renderPreflight({ problems, wallet, operator, name, controls, ...preflight }: Preflight) {
  const { given, predicted, open, minMinor, maxMinor } = operator;
  const left = wallet?.leftTodayMinor ?? null;
  return {
    wouldAccept: problems.length === 0,
    problems,
    warnings: [
      ...(name.kind === 'noAccount' ? [NO_ACCOUNT] : []),
      ...controls.warnings.map(warnByRule),
    ],
    fee: numberOrNull(preflight.feeMinor),
    total: numberOrNull(preflight.totalMinor),
    available: wallet === undefined ? null : formatMinor(wallet.availableMinor),
    operator: {
      given,
      predicted,
      open,
      min: numberOrNull(minMinor),
      max: numberOrNull(maxMinor),
    },
    recipient:
      name.kind === 'found' ? { accountName: name.accountName, nameMatch: name.nameMatch } : null,
    approvals: {
      needed: controls.approvals.reduce((sum, { count }) => sum + count, 0),
      rules: controls.approvals.map(({ rule }) => rule),
    },
    similar: preflight.similar.map(renderTransfer),
    // A limit that was lowered below what was paid today has nothing left, not less.
    limits: [
      ...(left === null
        ? []
        : [{ rule: 'wallet_daily', left: formatMinor(left < 0n ? 0n : left) }]),
      ...controls.limits.map(renderLimit),
    ],
  };
}

function renderLimit({ rule, left }: LimitLeft) {
  return { rule, left: left.kind === 'sum' ? formatMinor(left.minor) : String(left.count) };
}

function warnByRule(rule: string) {
  return { code: 'POLICY_WARNS', message: `The rule "${rule}" of the policy warns of it.`, rule };
}

const NO_ACCOUNT: Problem = {
  code: 'ACCOUNT_NOT_FOUND',
  field: 'phone',
  message: REFUSALS.ACCOUNT_NOT_FOUND.message,
};

function numberOrNull(minor: bigint | null): number | null {
  return minor === null ? null : minorToNumber(minor);
}
