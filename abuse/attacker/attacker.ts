import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom, type Random } from '../../faults/plan/random.ts';
import { ATTACKER_ADDRESSES } from '../loopback-addresses.ts';
import type { Target } from '../target/target.ts';
import { Tally } from './tally.ts';

/** `short` is for `npm test`; `long` has the sizes that once brought the service down. */
export type Form = 'short' | 'long';

/** New connections at once. The kernel's queue holds 511 and drops more. */
const CONNECTS_AT_ONCE = 200;
const CONNECT_PAUSE_MS = 20;

export type AttackerOptions = Readonly<{
  target: Target;
  seed: number;
  form: Form;
  /** The id of the attack, so that each draws its own random numbers. */
  id: string;
  /** Nothing new begins after this time. */
  timeMaxMs: number;
}>;

/** The means of one attack: connections that are counted and closed at its end, time and random numbers. */
export class Attacker {
  readonly target: Target;
  readonly form: Form;
  readonly random: Random;
  readonly tally = new Tally();
  readonly #endMs: number;
  readonly #sockets = new Set<Socket>();
  readonly #addresses: readonly [string, ...string[]];

  constructor(
    { target, seed, form, id, timeMaxMs }: AttackerOptions,
    addresses?: readonly [string, ...string[]],
  ) {
    this.target = target;
    this.form = form;
    this.random = createRandom(seed, `attack ${id}`);
    this.#endMs = performance.now() + timeMaxMs;
    const first = this.random.pick(ATTACKER_ADDRESSES);
    this.#addresses = addresses ?? (this.random.chance(500) ? [first] : ATTACKER_ADDRESSES);
  }

  get isOver(): boolean {
    return performance.now() >= this.#endMs;
  }

  get addresses(): readonly string[] {
    return this.#addresses;
  }

  pause(ms: number): Promise<void> {
    return pause(Math.max(0, Math.min(ms, this.#endMs - performance.now())));
  }

  /** Opens a connection from one of the attackers' addresses. Its end is counted, and is not an error. */
  open(options: Readonly<{ reads: boolean; from?: string }>): Socket {
    const localAddress = options.from ?? this.random.pick(this.#addresses);
    const socket = connect({ host: '127.0.0.1', port: this.target.port, localAddress });
    socket.setNoDelay(true);
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      if (this.#sockets.delete(socket)) this.tally.closed += 1;
    });
    if (!options.reads) socket.pause();
    return socket;
  }

  /** Opens many connections, not all at the same moment; fewer if the time is over. */
  async openMany(
    count: number,
    options: Readonly<{ reads: boolean; from?: string }>,
    onOpen: (socket: Socket) => void,
  ): Promise<readonly Socket[]> {
    const sockets: Socket[] = [];
    while (sockets.length < count && !this.isOver) {
      const socket = this.open(options);
      sockets.push(socket);
      socket.once('connect', () => onOpen(socket));
      if (sockets.length % CONNECTS_AT_ONCE === 0) await this.pause(CONNECT_PAUSE_MS);
    }
    return sockets;
  }

  /** Closes a connection that is no longer needed. */
  close(socket: Socket): void {
    this.#sockets.delete(socket);
    socket.destroy();
  }

  /** Closes a connection as a crash or a firewall does, by a reset. */
  reset(socket: Socket): void {
    this.#sockets.delete(socket);
    socket.resetAndDestroy();
  }

  closeAll(): void {
    for (const socket of this.#sockets) this.close(socket);
  }
}
