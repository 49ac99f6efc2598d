import { refuse } from '../../domain/refusal.ts';

/** How much memory bodies may take: in total, and per owner, which is a merchant, a person or an operator's route. */
export type BudgetLimits = Readonly<{
  bytesMax: number;
  bytesOfOwnerMax: number;
  /** Bodies of which a part has arrived. */
  bodiesMax: number;
  bodiesOfOwnerMax: number;
  /** The lowest average speed after a grace period. Default: BYTES_PER_SECOND_MIN. */
  bytesPerSecondMin?: number;
  /** However fast it comes, it must be here by then. Default: the server's own limit on requests is enough. */
  deadlineMs?: number;
}>;

const MIB = 1_024 * 1_024;

/**
 * The lowest average speed of a body after a grace period. A modem of the nineties sends four times as fast. A slower
 * client holds memory that others need.
 */
const BYTES_PER_SECOND_MIN = 1_024;
const SLOW_START_MS = 2_000;

/**
 * Bodies of single calls that did not arrive in one piece. A body in one piece is parsed at once and needs no budget.
 * Most clients send such a small body in one packet, so these are few unless a client sends slowly.
 */
const SMALL_BODIES: BudgetLimits = {
  bytesMax: 16 * MIB,
  bytesOfOwnerMax: 8 * MIB,
  bodiesMax: 2_048,
  bodiesOfOwnerMax: 512,
};

/**
 * Bulk calls, from their first byte until they are answered. One of 1,000 transfers takes about 1.5 MiB with its parsed
 * values, the largest 16 MiB: a merchant can have a dozen at once, and three merchants that send the largest leave room
 * for a fourth.
 */
const LARGE_BODIES: BudgetLimits = {
  bytesMax: 64 * MIB,
  bytesOfOwnerMax: 20 * MIB,
  bodiesMax: 256,
  bodiesOfOwnerMax: 64,
};

/** Operators' callbacks. Most have less than 2 KiB and arrive in one piece. */
const CALLBACK_BODIES: BudgetLimits = {
  bytesMax: 8 * MIB,
  bytesOfOwnerMax: 4 * MIB,
  bodiesMax: 512,
  bodiesOfOwnerMax: 256,
};

/**
 * Uploads, from their first byte until they are stored. One of 20 MiB takes up to 30 MiB while it arrives. A person waits
 * minutes for one on a poor line, and 8 KiB/s is what the worst of them give.
 */
const UPLOADS: BudgetLimits = {
  bytesMax: 96 * MIB,
  bytesOfOwnerMax: 32 * MIB,
  bodiesMax: 8,
  bodiesOfOwnerMax: 2,
  bytesPerSecondMin: 8 * 1_024,
  deadlineMs: 300_000,
};

type Usage = { bytes: number; bodies: number };

/** Counts the memory that bodies take, and refuses an excess before memory is spent on it. */
export class BodyBudget {
  readonly #limits: BudgetLimits;
  readonly #monotonicMs: () => number;
  readonly #all: Usage = { bytes: 0, bodies: 0 };
  readonly #byOwner = new Map<string, Usage>();
  readonly #shares = new Set<BodyShare>();

  constructor(limits: BudgetLimits, monotonicMs: () => number) {
    this.#limits = limits;
    this.#monotonicMs = monotonicMs;
  }

  get bytes(): number {
    return this.#all.bytes;
  }

  /** Opens a share for a body that begins to arrive. Throws the refusal if there is no room. */
  open(owner: string, onTooSlow: () => void): BodyShare {
    const usage = this.#byOwner.get(owner) ?? { bytes: 0, bodies: 0 };
    if (usage.bodies >= this.#limits.bodiesOfOwnerMax) throw ownerHasTooMany();
    if (this.#all.bodies >= this.#limits.bodiesMax) throw refuse('UNAVAILABLE');
    usage.bodies += 1;
    this.#all.bodies += 1;
    this.#byOwner.set(owner, usage);
    const share = new BodyShare(this.#monotonicMs(), this.#limits, onTooSlow, {
      take: (bytes) => this.#take(usage, bytes),
      close: (closed, bytes) => {
        this.#take(usage, -bytes);
        usage.bodies -= 1;
        this.#all.bodies -= 1;
        if (usage.bodies === 0) this.#byOwner.delete(owner);
        this.#shares.delete(closed);
      },
    });
    this.#shares.add(share);
    return share;
  }

  /** Throws the refusal that a body of this announced length would meet, before any of it is read. */
  refuseIfFull(owner: string, bytes: number): void {
    const usage = this.#byOwner.get(owner) ?? { bytes: 0, bodies: 0 };
    const { bodiesOfOwnerMax, bodiesMax, bytesOfOwnerMax, bytesMax } = this.#limits;
    if (usage.bodies >= bodiesOfOwnerMax || usage.bytes + bytes > bytesOfOwnerMax) {
      throw ownerHasTooMany();
    }
    if (this.#all.bodies >= bodiesMax || this.#all.bytes + bytes > bytesMax) {
      throw refuse('UNAVAILABLE');
    }
  }

  /** Ends bodies that arrive slower than the minimum. */
  endSlow(): void {
    const nowMs = this.#monotonicMs();
    for (const share of this.#shares) share.endIfSlow(nowMs);
  }

  #take(usage: Usage, bytes: number): void {
    if (bytes > 0) {
      if (usage.bytes + bytes > this.#limits.bytesOfOwnerMax) throw ownerHasTooMany();
      if (this.#all.bytes + bytes > this.#limits.bytesMax) throw refuse('UNAVAILABLE');
    }
    usage.bytes += bytes;
    this.#all.bytes += bytes;
  }
}

function ownerHasTooMany(): Error {
  return refuse('RATE_LIMITED', {
    message:
      'Too many large or slow requests at once. Wait for the answers to some. Nothing was stored.',
  });
}

/** The memory that one body takes. */
export class BodyShare {
  readonly #openedAtMs: number;
  readonly #speed: Pick<BudgetLimits, 'bytesPerSecondMin' | 'deadlineMs'>;
  readonly #onTooSlow: () => void;
  readonly #budget: Readonly<{
    take(bytes: number): void;
    close(share: BodyShare, bytes: number): void;
  }>;
  #bytes = 0;
  #received = 0;
  #isArriving = true;
  #isClosed = false;

  constructor(
    openedAtMs: number,
    speed: Pick<BudgetLimits, 'bytesPerSecondMin' | 'deadlineMs'>,
    onTooSlow: () => void,
    budget: Readonly<{ take(bytes: number): void; close(share: BodyShare, bytes: number): void }>,
  ) {
    this.#openedAtMs = openedAtMs;
    this.#speed = speed;
    this.#onTooSlow = onTooSlow;
    this.#budget = budget;
  }

  /** Throws the refusal if the budget is exceeded. */
  take(bytes: number): void {
    this.#budget.take(bytes);
    this.#bytes += bytes;
  }

  give(bytes: number): void {
    this.#budget.take(-bytes);
    this.#bytes -= bytes;
  }

  receive(bytes: number): void {
    this.#received += bytes;
  }

  /** The body is complete: its speed no longer matters. */
  arrived(): void {
    this.#isArriving = false;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#budget.close(this, this.#bytes);
  }

  endIfSlow(nowMs: number): void {
    const elapsedMs = nowMs - this.#openedAtMs;
    if (!this.#isArriving || elapsedMs < SLOW_START_MS) return;
    const { bytesPerSecondMin = BYTES_PER_SECOND_MIN, deadlineMs = elapsedMs } = this.#speed;
    const isLate = elapsedMs > deadlineMs;
    if (isLate || this.#received * 1_000 < bytesPerSecondMin * elapsedMs) this.#onTooSlow();
  }
}

/** One budget per kind of body, so that none can take the memory of another. */
export type BodyBudgets = Readonly<{
  small: BodyBudget;
  large: BodyBudget;
  callbacks: BodyBudget;
  uploads: BodyBudget;
}>;

export function createBodyBudgets(
  monotonicMs: () => number,
  limits: Partial<Record<keyof BodyBudgets, BudgetLimits>> = {},
): BodyBudgets {
  return {
    small: new BodyBudget(limits.small ?? SMALL_BODIES, monotonicMs),
    large: new BodyBudget(limits.large ?? LARGE_BODIES, monotonicMs),
    callbacks: new BodyBudget(limits.callbacks ?? CALLBACK_BODIES, monotonicMs),
    uploads: new BodyBudget(limits.uploads ?? UPLOADS, monotonicMs),
  };
}
