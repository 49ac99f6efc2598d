/** What the attackers sent and received. Counts only: the answers of a flood are not kept. */
export type TallyReport = Readonly<{
  sent: number;
  byStatus: Readonly<Record<string, number>>;
  /** Connections that the service closed, or that were never established. */
  closed: number;
  /** Answers that break a guarantee, in words, each with its count. */
  flaws: readonly (readonly [text: string, count: number])[];
  /** The loopback addresses of the attackers. */
  from: readonly string[];
}>;

/** Different texts that are kept; there are not many more kinds of malformed requests. */
const FLAWS_KEPT_MAX = 200;

export class Tally {
  sent = 0;
  closed = 0;
  readonly #byStatus = new Map<number, number>();
  readonly #flaws = new Map<string, number>();

  answered(status: number): void {
    this.#byStatus.set(status, (this.#byStatus.get(status) ?? 0) + 1);
  }

  /** Answers of this status so far. */
  count(status: number): number {
    return this.#byStatus.get(status) ?? 0;
  }

  flaw(text: string): void {
    const count = this.#flaws.get(text);
    if (count === undefined && this.#flaws.size >= FLAWS_KEPT_MAX) return;
    this.#flaws.set(text, (count ?? 0) + 1);
  }

  report(from: readonly string[]): TallyReport {
    return {
      sent: this.sent,
      byStatus: Object.fromEntries(this.#byStatus),
      closed: this.closed,
      flaws: [...this.#flaws],
      from,
    };
  }
}
