import type { EndpointRoom } from '../webhooks/claim-deliveries.ts';

export type LaneLimits = Readonly<{
  /** POSTs under way in this process, and how much one endpoint may have of it. */
  underWayMax: number;
  underWayPerEndpointMax: number;
  /** Deliveries that are claimed, waiting or under way. */
  claimedMax: number;
  claimedPerEndpointMax: number;
  /** The same for an endpoint that has taken many in a row, each within `quickMs`. */
  claimedByQuickMax: number;
  quickMs: number;
}>;

export const LANE_LIMITS: LaneLimits = {
  underWayMax: 512,
  underWayPerEndpointMax: 8,
  claimedMax: 4_096,
  // Somewhat more than go out at once, so that a claim is worth its cost and a quick receiver never
  // waits for the next; not so much that a slow one holds many.
  claimedPerEndpointMax: 24,
  // A claim costs a commit, whatever its size. At the slowest that is still quick, these take eight
  // seconds, long before their lease is over.
  claimedByQuickMax: 128,
  quickMs: 500,
};

/** One endpoint takes no more than this part of what is free: so newcomers find a place for long. */
const SHARE_OF_FREE = 1 / 8;

export type LaneWork<Item> = Readonly<{
  /** Must not reject. Calls `leave` when the endpoint has taken it: then the next may go to it. */
  run: (item: Item, leave: () => void) => Promise<void>;
  /** An endpoint that was full may have more. */
  onRoom: () => void;
  monotonicMs: () => number;
}>;

type Lane<Item> = {
  readonly waiting: Item[];
  /** POSTs that have no answer yet. */
  underWay: number;
  /** Those whose answer is being recorded. */
  recording: number;
  widthMax: number;
  /** How much may be claimed for it: doubled whenever so many have gone out quickly. */
  claimedMax: number;
  quickInARow: number;
  /** Whether it was said, since it last got something, that there is room. */
  saidRoom: boolean;
};

/** A lane per endpoint: who hangs, holds up his own deliveries and nobody else's. */
export class EndpointLanes<Item> {
  readonly #limits: LaneLimits;
  readonly #work: LaneWork<Item>;
  readonly #lanes = new Map<string, Lane<Item>>();
  /** Lanes that would go on if there were more places in all. */
  readonly #heldUp = new Set<string>();
  /** POSTs that have no answer yet. */
  #underWay = 0;
  /** Those, and the ones whose answer is being recorded. */
  #begun = 0;
  #claimed = 0;
  #idleListeners: (() => void)[] = [];

  constructor(limits: LaneLimits, work: LaneWork<Item>) {
    this.#limits = limits;
    this.#work = work;
  }

  /** `widthMax`: how many POSTs the endpoint may have under way for now. */
  add(endpointId: string, item: Item, { widthMax }: Readonly<{ widthMax: number }>): void {
    const lane = this.#lanes.get(endpointId) ?? {
      waiting: [],
      underWay: 0,
      recording: 0,
      widthMax,
      claimedMax: this.#limits.claimedPerEndpointMax,
      quickInARow: 0,
      saidRoom: false,
    };
    lane.saidRoom = false;
    lane.widthMax = Math.min(widthMax, this.#limits.underWayPerEndpointMax);
    lane.waiting.push(item);
    this.#lanes.set(endpointId, lane);
    this.#claimed += 1;
    this.#advance(endpointId, lane);
  }

  /** What may be claimed now: in all, by an endpoint that has nothing, and by those that have some. */
  room(): Readonly<{ max: number; perEndpointMax: number; taken: readonly EndpointRoom[] }> {
    const free = Math.max(0, this.#limits.claimedMax - this.#claimed);
    const share = shareOf(free);
    const perEndpointMax = Math.min(this.#limits.claimedPerEndpointMax, share);
    const taken = [...this.#lanes].map(([endpointId, lane]) => {
      const count = countOf(lane);
      const claimedMax = Math.min(lane.claimedMax, share);
      return { endpointId, room: count > refillAt(lane) ? 0 : Math.max(0, claimedMax - count) };
    });
    // Half of what is free: the other half stays for endpoints that come a little later.
    return { max: Math.ceil(free / 2), perEndpointMax, taken };
  }

  /** Takes back what waits for an endpoint, or for all. */
  takeBack(endpointId?: string): Item[] {
    const endpointIds = endpointId === undefined ? [...this.#lanes.keys()] : [endpointId];
    const items = endpointIds.flatMap((id) => {
      const lane = this.#lanes.get(id);
      this.#heldUp.delete(id);
      const waiting = lane?.waiting.splice(0) ?? [];
      if (lane !== undefined && countOf(lane) === 0) this.#lanes.delete(id);
      return waiting;
    });
    this.#claimed -= items.length;
    return items;
  }

  /** What has begun and is not done with yet. */
  underWay(): number {
    return this.#begun;
  }

  /** Resolves when nothing is under way any more. */
  idle(): Promise<void> {
    if (this.#begun === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idleListeners.push(resolve));
  }

  #advance(endpointId: string, lane: Lane<Item>): void {
    this.#heldUp.delete(endpointId);
    while (lane.underWay < lane.widthMax) {
      const [item] = lane.waiting;
      if (item === undefined) return;
      if (lane.underWay >= shareOf(this.#limits.underWayMax - this.#underWay)) {
        this.#heldUp.add(endpointId);
        return;
      }
      lane.waiting.shift();
      void this.#begin(endpointId, lane, item);
    }
  }

  #noteTime(lane: Lane<Item>, elapsedMs: number): void {
    const { quickMs, claimedPerEndpointMax, claimedByQuickMax } = this.#limits;
    if (elapsedMs > quickMs) {
      lane.claimedMax = claimedPerEndpointMax;
      lane.quickInARow = 0;
      return;
    }
    lane.quickInARow += 1;
    if (lane.quickInARow < lane.claimedMax) return;
    lane.claimedMax = Math.min(2 * lane.claimedMax, claimedByQuickMax);
    lane.quickInARow = 0;
  }

  async #begin(endpointId: string, lane: Lane<Item>, item: Item): Promise<void> {
    lane.underWay += 1;
    this.#underWay += 1;
    this.#begun += 1;
    const beganMs = this.#work.monotonicMs();
    let isUnderWay = true;
    const leave = (): void => {
      if (!isUnderWay) return;
      isUnderWay = false;
      this.#noteTime(lane, this.#work.monotonicMs() - beganMs);
      lane.underWay -= 1;
      this.#underWay -= 1;
      lane.recording += 1;
      this.#advance(endpointId, lane);
      this.#advanceHeldUp();
    };
    await this.#work.run(item, leave);
    leave();
    lane.recording -= 1;
    this.#begun -= 1;
    this.#claimed -= 1;
    const left = countOf(lane);
    if (left === 0) this.#lanes.delete(endpointId);
    if (left <= refillAt(lane) && !lane.saidRoom) {
      lane.saidRoom = true;
      this.#work.onRoom();
    }
    if (this.#begun > 0) return;
    for (const listener of this.#idleListeners.splice(0)) listener();
  }

  #advanceHeldUp(): void {
    // A copy: who is still held up comes back into the set.
    const waiting = [...this.#heldUp];
    for (const heldUp of waiting) {
      const other = this.#lanes.get(heldUp);
      if (other !== undefined) this.#advance(heldUp, other);
    }
  }
}

/** A lane is filled again when it is half empty: rarely, and before it runs dry. */
function refillAt({ claimedMax }: Lane<unknown>): number {
  return Math.floor(claimedMax / 2);
}

function shareOf(free: number): number {
  return Math.ceil(free * SHARE_OF_FREE);
}

function countOf(lane: Lane<unknown>): number {
  return lane.waiting.length + lane.underWay + lane.recording;
}
