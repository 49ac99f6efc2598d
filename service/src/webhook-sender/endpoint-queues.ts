import type { EndpointRoom } from '../webhooks/claim-deliveries.ts';

export type EndpointLimits = Readonly<{
  /** POSTs under way in this process, and how many of them one endpoint may have. */
  underWayMax: number;
  underWayPerEndpointMax: number;
  /** Deliveries that are claimed, waiting or under way. */
  claimedMax: number;
  claimedPerEndpointMax: number;
  /** The same for an endpoint that has accepted many in a row, each within `quickMs`. */
  claimedByQuickMax: number;
  quickMs: number;
}>;

export const ENDPOINT_LIMITS: EndpointLimits = {
  underWayMax: 512,
  underWayPerEndpointMax: 8,
  claimedMax: 4_096,
  // Somewhat more than are sent at once, so that a claim is worth its cost and a fast receiver never waits for the
  // next, but few enough that a slow one does not hold many.
  claimedPerEndpointMax: 24,
  // A claim of any size costs one commit. At the slowest speed that still counts as fast, these take eight
  // seconds, long before their lease ends.
  claimedByQuickMax: 128,
  quickMs: 500,
};

/** One endpoint gets at most this share of what is free, so that new endpoints still find a free slot. */
const SHARE_OF_FREE = 1 / 8;

export type EndpointWork<Item> = Readonly<{
  /** Must not reject. Calls `leave` when the endpoint has accepted the item: then the next may be sent. */
  run: (item: Item, leave: () => void) => Promise<void>;
  /** Called when an endpoint that was full may have more. */
  onRoom: () => void;
  monotonicMs: () => number;
}>;

type EndpointQueue<Item> = {
  readonly waiting: Item[];
  /** POSTs without a response yet. */
  underWay: number;
  /** POSTs whose response is being recorded. */
  recording: number;
  widthMax: number;
  /** How many may be claimed for it: doubled after that many fast ones in a row. */
  claimedMax: number;
  quickInARow: number;
  /** Whether `onRoom` was called since it last got something. */
  reportedRoom: boolean;
};

/** A queue per endpoint: an endpoint that hangs delays only its own deliveries. */
export class EndpointQueues<Item> {
  readonly #limits: EndpointLimits;
  readonly #work: EndpointWork<Item>;
  readonly #queues = new Map<string, EndpointQueue<Item>>();
  /** Queues that would continue if there were more free slots in all. */
  readonly #blocked = new Set<string>();
  /** POSTs without a response yet. */
  #underWay = 0;
  /** Those, and the ones whose response is being recorded. */
  #begun = 0;
  #claimed = 0;
  #idleListeners: (() => void)[] = [];

  constructor(limits: EndpointLimits, work: EndpointWork<Item>) {
    this.#limits = limits;
    this.#work = work;
  }

  /** `widthMax`: how many POSTs the endpoint may have under way for now. */
  add(endpointId: string, item: Item, { widthMax }: Readonly<{ widthMax: number }>): void {
    const queue = this.#queues.get(endpointId) ?? {
      waiting: [],
      underWay: 0,
      recording: 0,
      widthMax,
      claimedMax: this.#limits.claimedPerEndpointMax,
      quickInARow: 0,
      reportedRoom: false,
    };
    queue.reportedRoom = false;
    queue.widthMax = Math.min(widthMax, this.#limits.underWayPerEndpointMax);
    queue.waiting.push(item);
    this.#queues.set(endpointId, queue);
    this.#claimed += 1;
    this.#advance(endpointId, queue);
  }

  /** How many deliveries may be claimed now: in all, for an idle endpoint, and for each busy one. */
  room(): Readonly<{ max: number; perEndpointMax: number; taken: readonly EndpointRoom[] }> {
    const free = Math.max(0, this.#limits.claimedMax - this.#claimed);
    const share = shareOf(free);
    const perEndpointMax = Math.min(this.#limits.claimedPerEndpointMax, share);
    const taken = [...this.#queues].map(([endpointId, queue]) => {
      const count = countOf(queue);
      const claimedMax = Math.min(queue.claimedMax, share);
      return { endpointId, room: count > refillAt(queue) ? 0 : Math.max(0, claimedMax - count) };
    });
    // Half of what is free: the other half stays for endpoints that come a little later.
    return { max: Math.ceil(free / 2), perEndpointMax, taken };
  }

  /** Removes and returns what waits for an endpoint, or for all. */
  takeBack(endpointId?: string): Item[] {
    const endpointIds = endpointId === undefined ? [...this.#queues.keys()] : [endpointId];
    const items = endpointIds.flatMap((id) => {
      const queue = this.#queues.get(id);
      this.#blocked.delete(id);
      const waiting = queue?.waiting.splice(0) ?? [];
      if (queue !== undefined && countOf(queue) === 0) this.#queues.delete(id);
      return waiting;
    });
    this.#claimed -= items.length;
    return items;
  }

  /** What has begun and is not recorded yet. */
  underWay(): number {
    return this.#begun;
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    if (this.#begun === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idleListeners.push(resolve));
  }

  #advance(endpointId: string, queue: EndpointQueue<Item>): void {
    this.#blocked.delete(endpointId);
    while (queue.underWay < queue.widthMax) {
      const [item] = queue.waiting;
      if (item === undefined) return;
      if (queue.underWay >= shareOf(this.#limits.underWayMax - this.#underWay)) {
        this.#blocked.add(endpointId);
        return;
      }
      queue.waiting.shift();
      void this.#begin(endpointId, queue, item);
    }
  }

  #noteTime(queue: EndpointQueue<Item>, elapsedMs: number): void {
    const { quickMs, claimedPerEndpointMax, claimedByQuickMax } = this.#limits;
    if (elapsedMs > quickMs) {
      queue.claimedMax = claimedPerEndpointMax;
      queue.quickInARow = 0;
      return;
    }
    queue.quickInARow += 1;
    if (queue.quickInARow < queue.claimedMax) return;
    queue.claimedMax = Math.min(2 * queue.claimedMax, claimedByQuickMax);
    queue.quickInARow = 0;
  }

  async #begin(endpointId: string, queue: EndpointQueue<Item>, item: Item): Promise<void> {
    queue.underWay += 1;
    this.#underWay += 1;
    this.#begun += 1;
    const beganMs = this.#work.monotonicMs();
    let isUnderWay = true;
    const leave = (): void => {
      if (!isUnderWay) return;
      isUnderWay = false;
      this.#noteTime(queue, this.#work.monotonicMs() - beganMs);
      queue.underWay -= 1;
      this.#underWay -= 1;
      queue.recording += 1;
      this.#advance(endpointId, queue);
      this.#advanceBlocked();
    };
    await this.#work.run(item, leave);
    leave();
    queue.recording -= 1;
    this.#begun -= 1;
    this.#claimed -= 1;
    const left = countOf(queue);
    if (left === 0) this.#queues.delete(endpointId);
    if (left <= refillAt(queue) && !queue.reportedRoom) {
      queue.reportedRoom = true;
      this.#work.onRoom();
    }
    if (this.#begun > 0) return;
    for (const listener of this.#idleListeners.splice(0)) listener();
  }

  #advanceBlocked(): void {
    // A copy, because endpoints that are still blocked are added to the set again.
    const waiting = [...this.#blocked];
    for (const blocked of waiting) {
      const other = this.#queues.get(blocked);
      if (other !== undefined) this.#advance(blocked, other);
    }
  }
}

/** A queue is refilled when it is half empty: rarely, and before it is empty. */
function refillAt({ claimedMax }: EndpointQueue<unknown>): number {
  return Math.floor(claimedMax / 2);
}

function shareOf(free: number): number {
  return Math.ceil(free * SHARE_OF_FREE);
}

function countOf(queue: EndpointQueue<unknown>): number {
  return queue.waiting.length + queue.underWay + queue.recording;
}
