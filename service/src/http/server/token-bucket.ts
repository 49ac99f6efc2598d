export type BucketRule = Readonly<{ perSecond: number; burst: number }>;

/** Allows `burst` requests at once and `perSecond` in the long run. */
export class TokenBucket {
  #rule: BucketRule;
  #tokens: number;
  #filledAtMs: number;

  constructor(rule: BucketRule, nowMs: number) {
    this.#rule = rule;
    this.#tokens = rule.burst;
    this.#filledAtMs = nowMs;
  }

  get rule(): BucketRule {
    return this.#rule;
  }

  /** What was gained until now was gained under the rule before. */
  changeRule(rule: BucketRule, nowMs: number): void {
    const { perSecond, burst } = this.#rule;
    if (rule.perSecond === perSecond && rule.burst === burst) return;
    this.fill(nowMs);
    this.#tokens = Math.min(this.#tokens, rule.burst);
    this.#rule = rule;
  }

  /** Returns false if not enough tokens are left. */
  take(nowMs: number, amount = 1): boolean {
    this.fill(nowMs);
    if (this.#tokens < amount) return false;
    this.#tokens -= amount;
    return true;
  }

  /** Undoes a `take` of one. */
  giveBack(): void {
    this.#tokens = Math.min(this.#rule.burst, this.#tokens + 1);
  }

  fill(nowMs: number): void {
    const gained = ((nowMs - this.#filledAtMs) * this.#rule.perSecond) / 1000;
    this.#tokens = Math.min(this.#rule.burst, this.#tokens + gained);
    this.#filledAtMs = nowMs;
  }

  remaining(): number {
    return Math.floor(this.#tokens);
  }

  secondsUntilNext(amount = 1): number {
    return Math.max(1, Math.ceil((amount - this.#tokens) / this.#rule.perSecond));
  }

  secondsUntilFull(): number {
    return Math.ceil((this.#rule.burst - this.#tokens) / this.#rule.perSecond);
  }
}

/** Buckets by name, created on demand. Beyond the maximum, the oldest are dropped. */
export class BucketTable {
  readonly #rule: BucketRule;
  readonly #bucketsMax: number;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(rule: BucketRule, bucketsMax: number) {
    this.#rule = rule;
    this.#bucketsMax = bucketsMax;
  }

  /** `rule`: the one of this name now, where names differ. */
  bucketOf(name: string, nowMs: number, rule: BucketRule = this.#rule): TokenBucket {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) return this.#add(name, nowMs, rule);
    bucket.changeRule(rule, nowMs);
    return bucket;
  }

  get size(): number {
    return this.#buckets.size;
  }

  #add(name: string, nowMs: number, rule: BucketRule): TokenBucket {
    if (this.#buckets.size >= this.#bucketsMax) this.#forgetOldest();
    const bucket = new TokenBucket(rule, nowMs);
    this.#buckets.set(name, bucket);
    return bucket;
  }

  #forgetOldest(): void {
    for (const name of this.#buckets.keys()) {
      this.#buckets.delete(name);
      return;
    }
  }
}
