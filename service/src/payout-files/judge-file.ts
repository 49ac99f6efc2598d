import type { ApprovalRequirement } from '../domain/approval-requirement.ts';
import type { Book } from '../domain/book.ts';
import { type CompiledPolicy, compilePolicy } from '../domain/policy/compile-policy.ts';
import { evaluate, NO_ANSWERS } from '../domain/policy/evaluate.ts';
import type { Order, PolicyResult } from '../domain/policy/order.ts';
import { parsePolicy } from '../domain/policy/parse-policy.ts';
import { APPROVAL_EXPIRES_AFTER_DEFAULT_MS } from '../domain/policy/policy.ts';
import { refuse } from '../domain/refusal.ts';
import { findPolicy } from '../policies/find-policy.ts';
import type { Queryable } from '../postgres/database.ts';
import type { FileOrder, RowContent } from './file-content.ts';
import type { Maker } from './submitted-file.ts';

/** Refused rows that an answer names; of more it says how many there are. */
const REFUSED_ROWS_SHOWN_MAX = 20;

export type JudgeDeps = Readonly<{ database: Queryable; now: () => Date }>;

/** What the policy asks for a file: each rule once, whether rows or the total match it. */
export type FileJudgement = Readonly<{
  policyVersion: number | null;
  rules: readonly string[];
  approvals: readonly ApprovalRequirement[];
  expiresAfterMs: number;
}>;

/** Judges a file by the policy of its book: rows are added page by page, then the file as a whole is judged. */
export type FileJudge = Readonly<{
  add(rows: readonly RowContent[]): Promise<void>;
  /** Throws POLICY_REFUSED with the rows, or the rule, that is refused. */
  finish(): Promise<FileJudgement>;
}>;

type Judged = Readonly<{
  book: Book;
  maker: Maker;
  source: 'file' | 'schedule';
  order: FileOrder & Readonly<{ walletId: string }>;
}>;

const NO_POLICY: FileJudge = {
  add: async () => undefined,
  finish: async () => ({
    policyVersion: null,
    rules: [],
    approvals: [],
    expiresAfterMs: APPROVAL_EXPIRES_AFTER_DEFAULT_MS,
  }),
};

export async function createFileJudge(deps: JudgeDeps, judged: Judged): Promise<FileJudge> {
  const inForce = await findPolicy(deps.database, judged.book.id);
  if (inForce === undefined) return NO_POLICY;
  const parsed = parsePolicy(inForce.document);
  if (!parsed.isValid) throw new Error('the policy in force cannot be read');
  return new PolicyJudge(judged, {
    policy: compilePolicy(parsed.policy),
    version: inForce.version,
    at: deps.now(),
  });
}

type InForce = Readonly<{ policy: CompiledPolicy; version: number; at: Date }>;

class PolicyJudge implements FileJudge {
  readonly #judged: Judged;
  readonly #inForce: InForce;
  readonly #matched = new Set<string>();
  readonly #refused: { row: number; rule: string }[] = [];
  #refusedCount = 0;
  readonly #byOperator = new Map<RowContent['operator'], { first: RowContent; sumMinor: bigint }>();

  constructor(judged: Judged, inForce: InForce) {
    this.#judged = judged;
    this.#inForce = inForce;
  }

  async add(rows: readonly RowContent[]): Promise<void> {
    for (const row of rows) {
      const result = this.#judge(row, row.amountMinor);
      this.#note(result);
      if (result.refusedBy !== null) this.#refuse(row.number, result.refusedBy);
      const total = this.#byOperator.get(row.operator) ?? { first: row, sumMinor: 0n };
      total.sumMinor += row.amountMinor;
      this.#byOperator.set(row.operator, total);
    }
  }

  async finish(): Promise<FileJudgement> {
    if (this.#refusedCount > 0) throw this.#refusal();
    for (const total of this.#byOperator.values()) this.#judgeTotal(total.first, total.sumMinor);
    const { policy, version } = this.#inForce;
    const rules = policy.rules.filter(({ name }) => this.#matched.has(name));
    return {
      policyVersion: version,
      rules: rules.map(({ name }) => name),
      approvals: rules.flatMap(({ name, require: { approvals } }) =>
        approvals === null ? [] : [{ rule: name, ...approvals }],
      ),
      expiresAfterMs: policy.policy.approvalExpiresAfterMs,
    };
  }

  #judge(row: RowContent, amountMinor: bigint): PolicyResult {
    const { policy, at } = this.#inForce;
    return evaluate(policy, orderOf(this.#judged, row, { amountMinor, at }), NO_ANSWERS);
  }

  #judgeTotal(first: RowContent, sumMinor: bigint): void {
    const result = this.#judge(first, sumMinor);
    if (result.refusedBy !== null) {
      throw refuse('POLICY_REFUSED', {
        message: `The rule "${result.refusedBy}" refuses the file as a whole. Nothing was submitted.`,
        data: { rule: result.refusedBy },
      });
    }
    this.#note(result);
  }

  #note({ matched }: PolicyResult): void {
    for (const name of matched) this.#matched.add(name);
  }

  #refuse(row: number, rule: string): void {
    this.#refusedCount += 1;
    if (this.#refused.length < REFUSED_ROWS_SHOWN_MAX) this.#refused.push({ row, rule });
  }

  #refusal(): Error {
    const [first] = this.#refused;
    const rows = this.#refused.map(({ row }) => row).join(', ');
    const more = this.#refusedCount > this.#refused.length ? ' and more' : '';
    return refuse('POLICY_REFUSED', {
      message: `The policy refuses rows ${rows}${more}. Correct or drop them. Nothing was submitted.`,
      data: { rule: first?.rule ?? '', rows: this.#refused },
    });
  }
}

function orderOf(
  { order, maker, source }: Judged,
  row: RowContent,
  { amountMinor, at }: Readonly<{ amountMinor: bigint; at: Date }>,
): Order {
  return {
    amountMinor,
    currency: order.currency,
    phone: row.phone,
    operator: row.operator,
    country: row.country,
    walletId: order.walletId,
    keyId: maker.keyId,
    personId: maker.personId,
    source,
    metadata: row.givenReference === null ? null : { reference: row.givenReference },
    recipientName: row.recipientName,
    at,
  };
}
