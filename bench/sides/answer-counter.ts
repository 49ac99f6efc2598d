import type { LoadReport, Workload } from '../load/load-plan.ts';
import type { SideSpec } from './side-spec.ts';

/** Counts the answers of a side so far, and the transfers that its database must have because of them. */
export class AnswerCounter {
  readonly #mayRefuse: boolean;
  readonly #unwanted = new Map<string, number>();
  #withoutRetryAfter = 0;
  #accepted = 0;

  constructor({ mayRefuse }: SideSpec) {
    this.#mayRefuse = mayRefuse;
  }

  /** Transfers that were answered as stored. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Returns the number of requested items: transfers or lookups. */
  note(workload: Workload, report: Pick<LoadReport, 'statuses' | 'withoutRetryAfter'>): number {
    const { good, items } = expectationOf(workload);
    let answers = 0;
    for (const [status, count] of Object.entries(report.statuses)) {
      answers += count;
      if (status === good) this.#accepted += workload.kind === 'lookups' ? 0 : count * items;
      else if (!(status === '503' && this.#mayRefuse)) {
        this.#unwanted.set(status, (this.#unwanted.get(status) ?? 0) + count);
      }
    }
    this.#withoutRetryAfter += report.withoutRetryAfter;
    return answers * items;
  }

  /** Unexpected answers, in words; empty if there are none. */
  problems(): readonly string[] {
    const problems = [...this.#unwanted].map(
      ([status, count]) => `${count} answers were ${status}`,
    );
    if (this.#withoutRetryAfter > 0) {
      problems.push(`${this.#withoutRetryAfter} refusals had no Retry-After`);
    }
    return problems;
  }
}

function expectationOf(workload: Workload): Readonly<{ good: string; items: number }> {
  switch (workload.kind) {
    case 'transfers':
      return { good: '201', items: 1 };
    case 'bulk':
      return { good: '200', items: workload.transfersPerCall };
    case 'lookups':
      return { good: '200', items: 1 };
    default: {
      const unhandled: never = workload;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}
