import { formatMinor, minorToNumber } from '../../domain/money.ts';
import { FAILURES, type FailureCode } from '../../domain/outcome.ts';
import {
  FILE_PROBLEMS,
  ROW_PROBLEMS,
  ROW_WARNINGS,
  type RowProblem,
  type RowWarning,
} from '../../domain/payout-file/row-problem.ts';
import type { FileDescription } from '../../payout-files/describe-file.ts';
import type { PayoutFile } from '../../payout-files/payout-file.ts';
import type { PayoutRow } from '../../payout-files/payout-row.ts';
import type { ShownFileApproval } from '../../payout-files/show-file-approval.ts';

const time = (at: Date | null): string | null => at?.toISOString() ?? null;

/** A file as lists show it. Sums may be larger than an exact JSON number, so they are text. */
export function renderFile(file: PayoutFile) {
  const { rows, names, problem, maker } = file;
  const ready = rows.total - rows.problem - rows.dropped;
  return {
    id: file.id,
    name: file.name,
    source: file.source,
    references: file.references,
    state: file.state,
    format: file.format,
    sheet: file.sheet,
    otherSheets: file.otherSheets,
    columns: file.columns.map(({ header, field }) => ({ header, field })),
    problem:
      problem === null
        ? null
        : { code: problem.code, message: explainFile(problem), detail: problem.detail },
    madeBy: {
      kind: maker.personId !== null ? 'person' : maker.keyId !== null ? 'key' : 'system',
      id: maker.personId ?? maker.keyId,
      name: maker.name,
    },
    createdAt: file.createdAt.toISOString(),
    updatedAt: file.updatedAt.toISOString(),
    walletId: file.walletId,
    currency: file.currency,
    progress: { checked: rows.checked, total: rows.total },
    counts: {
      rows: rows.total,
      // Until the check is over it is not known.
      ready: file.state === 'checking' ? 0 : ready,
      problems: rows.problem,
      warnings: rows.warned,
      dropped: rows.dropped,
      created: rows.created,
      refused: rows.refused,
      succeeded: rows.succeeded,
      failed: rows.failed,
      cancelled: rows.cancelled,
    },
    sum: formatMinor(file.sumMinor),
    names: {
      state: names.askedAt === null ? 'none' : isAsking(file) ? 'asking' : 'done',
      total: names.total,
      checked: Math.min(names.checked, names.total),
    },
    version: file.version,
    contentHash: file.contentHash,
    submittedAt: time(file.submittedAt),
    submittedBy: file.submittedByName,
    payAt: time(file.payAt),
    policyVersion: file.policyVersion,
    rules: file.ruleNames,
    approvalExpiresAt: time(file.approvalExpiresAt),
    payingAt: time(file.payingAt),
    endedAt: time(file.endedAt),
    endedAs: file.endedAs,
    failedRowsOf: file.failedRowsOf,
    scheduleId: file.scheduleId,
  };
}

function isAsking({ state, names }: PayoutFile): boolean {
  return state === 'draft' && names.isDue;
}

export function explainFile({ code, detail }: NonNullable<PayoutFile['problem']>): string {
  return detail === null ? FILE_PROBLEMS[code] : `${FILE_PROBLEMS[code]} ${detail}`;
}

/** A file with all that a person looks at before paying it. */
export function renderFileDescription(
  description: FileDescription,
  approval: ShownFileApproval | null,
) {
  const { file, feeMinor, operators, problemKinds, wallet, sameUploads } = description;
  const totalMinor = file.sumMinor + feeMinor;
  return {
    ...renderFile(file),
    approval,
    fees: formatMinor(feeMinor),
    total: formatMinor(totalMinor),
    problemKinds: problemKinds.map(({ code, field, isWarning, count }) => ({
      code,
      field,
      kind: isWarning ? 'warning' : 'problem',
      message: { ...ROW_PROBLEMS, ...ROW_WARNINGS }[code],
      count,
    })),
    operators: operators.map((one) => ({
      operator: one.operator,
      country: one.country,
      count: one.count,
      sum: formatMinor(one.sumMinor),
      fees: formatMinor(one.feeMinor),
      open: one.isOpen,
      float: one.float,
      min: one.minMinor === null ? null : minorToNumber(one.minMinor),
      max: one.maxMinor === null ? null : minorToNumber(one.maxMinor),
    })),
    wallet:
      wallet === null
        ? null
        : {
            id: file.walletId,
            currency: wallet.currency,
            status: wallet.status,
            available: formatMinor(wallet.availableMinor),
            left: formatMinor(wallet.availableMinor - totalMinor),
            leftToday: wallet.leftTodayMinor === null ? null : formatMinor(wallet.leftTodayMinor),
            suffices:
              wallet.availableMinor >= totalMinor &&
              (wallet.leftTodayMinor === null || wallet.leftTodayMinor >= totalMinor),
          },
    sameUploads: sameUploads.map((same) => ({ ...same, createdAt: same.createdAt.toISOString() })),
  };
}

export function renderPayoutRow(row: PayoutRow) {
  return {
    number: row.number,
    line: row.line,
    state: row.state,
    cells: row.cells,
    corrections: row.corrections,
    phone: row.phone,
    operator: row.operator,
    operatorPredicted: row.operatorPredicted,
    country: row.country,
    currency: row.currency,
    amount: row.amountMinor === null ? null : minorToNumber(row.amountMinor),
    fee: row.feeMinor === null ? null : minorToNumber(row.feeMinor),
    name: row.recipientName,
    narration: row.narration,
    reference: row.givenReference,
    problems: row.problems.map(renderProblem),
    warnings: row.warnings.map(renderWarning),
    accountName: row.accountName,
    nameMatch: row.nameMatch,
    nameCheckedAt: time(row.nameCheckedAt),
    replaces: row.replaces,
    replacedFailure: renderFailure(row.replacedFailure),
    transferReference: row.reference,
    transferId: row.transferId,
    transferState: row.transferState,
    transferFailure: renderFailure(row.transferFailure),
    refusal: row.refusal,
  };
}

function renderFailure(code: FailureCode | null) {
  return code === null ? null : { code, message: FAILURES[code] };
}

function renderProblem({ code, field }: RowProblem) {
  return { code, field, message: ROW_PROBLEMS[code] };
}

function renderWarning({ code, field, row, transferId, fileId }: RowWarning) {
  const message =
    row === undefined ? ROW_WARNINGS[code] : `${ROW_WARNINGS[code].slice(0, -1)}: row ${row}.`;
  const found = { row: row ?? null, transferId: transferId ?? null, fileId: fileId ?? null };
  return { code, field, message, ...found };
}
