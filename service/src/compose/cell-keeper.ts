import { type BackgroundLoop, createBackgroundLoop } from '../background/background-loop.ts';
import { type Cells, refuseCell } from '../cells/cell.ts';
import type { KnownCell } from '../cells/list-cells.ts';
import { queryCells } from '../cells/query-cells.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type ComposedCell, STOP_WITHIN_MS } from './cell.ts';

const ROUND_MS = 1_000;
/** A cell that takes longer to say that it is there has not answered. */
const PROBE_DEADLINE_MS = 1_500;
/** A cell is refused after this many probes without an answer: one may be lost with its connection. */
const FAILED_PROBES_MAX = 2;

/** What the keeper needs of a composed cell. */
export type KeptCell = Pick<
  ComposedCell,
  'name' | 'database' | 'isReady' | 'isCurrent' | 'prepare' | 'start' | 'stop' | 'close'
>;

type KeeperDeps<C extends KeptCell> = Readonly<{
  /** Reads the cells from the directory. */
  listCells: () => Promise<readonly KnownCell[]>;
  /** Throws when the address of its server is not known. */
  compose: (cell: KnownCell, all: readonly KnownCell[]) => C;
  /** Existing leases belong to processes that died. */
  alone: boolean;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
}>;

type Entry<C> = {
  readonly name: string;
  /** Undefined: its address is not known. */
  cell: C | undefined;
  isUp: boolean;
  failedProbes: number;
  /** Set once it is being started. */
  starting: Promise<void> | undefined;
  isStarted: boolean;
  /** Why it could not be started last time, as the log has it. */
  failure: string | undefined;
};

/**
 * The cells of this process. Reads their list once a second, composes and starts new ones, and stops those that are
 * gone. One that cannot be reached is tried again each second; its books are refused meanwhile, and all others go on.
 * While there is one cell alone, it is not probed: every call finds out by itself, as without cells.
 */
export class CellKeeper<C extends KeptCell> implements Cells {
  readonly #deps: KeeperDeps<C>;
  readonly #entries = new Map<string, Entry<C>>();
  readonly #stopped = new Set<Promise<void>>();
  readonly #loop: BackgroundLoop;
  /** The only cell. Most services have one, and find it without a look into a table. */
  #alone: C | undefined;

  constructor(deps: KeeperDeps<C>) {
    this.#deps = deps;
    this.#loop = createBackgroundLoop({
      round: async () => {
        await this.#round();
        return ROUND_MS;
      },
      what: 'looking for cells',
      logger: deps.logger,
      retryInMs: ROUND_MS,
      firstInMs: ROUND_MS,
    });
  }

  /** Composes the cells that there are. Throws when the directory cannot be read. */
  async load(): Promise<void> {
    this.#adopt(await this.#deps.listCells());
  }

  /** Starts all cells that can be reached. A cell alone must be. */
  async start(): Promise<void> {
    const alone = this.#alone === undefined ? undefined : this.#entries.get(this.#alone.name);
    if (alone === undefined) await this.#probe();
    else {
      await this.#begin(alone);
      alone.isUp = true;
    }
    this.#loop.start();
  }

  /** Stops looking for cells, then finishes what is under way in all of them. */
  async stop(options: Parameters<C['stop']>[0]): Promise<void> {
    await this.#loop.stop();
    await Promise.all([...this.composed().map((cell) => cell.stop(options)), ...this.#stopped]);
  }

  async close(): Promise<void> {
    await Promise.all(this.composed().map((cell) => cell.close()));
  }

  /** The only cell; undefined: there are several. */
  alone(): C | undefined {
    return this.#alone;
  }

  list(): readonly C[] {
    return this.composed();
  }

  named(name: string): C {
    if (this.#alone?.name === name) return this.#alone;
    const entry = this.#entries.get(name);
    if (entry?.cell === undefined || !isUsable(entry)) throw refuseCell();
    return entry.cell;
  }

  /** Those that answered last time, in the order of their names. */
  answering(): readonly C[] {
    return this.#sorted().flatMap((entry) =>
      entry.cell !== undefined && isUsable(entry) ? [entry.cell] : [],
    );
  }

  /** All whose address is known, in the order of their names. */
  composed(): readonly C[] {
    return this.#sorted().flatMap(({ cell }) => (cell === undefined ? [] : [cell]));
  }

  /** The names of those that cannot be reached. */
  down(): readonly string[] {
    return this.#sorted().flatMap((entry) => (isUsable(entry) ? [] : [entry.name]));
  }

  hasSeveral(): boolean {
    return this.#entries.size > 1;
  }

  #sorted(): readonly Entry<C>[] {
    return [...this.#entries.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  async #round(): Promise<void> {
    const { listCells, logger } = this.#deps;
    try {
      this.#adopt(await listCells());
    } catch (error) {
      // Without the directory the cells that are known go on.
      logger.warn({ err: error }, 'reading the list of cells failed, trying again');
    }
    if (this.#alone === undefined || this.#entries.get(this.#alone.name)?.isStarted === false) {
      await this.#probe();
    }
  }

  #adopt(known: readonly KnownCell[]): void {
    for (const entry of this.#entries.values()) {
      if (!known.some(({ name }) => name === entry.name)) this.#remove(entry);
    }
    for (const cell of known) this.#add(cell, known);
    const [first, second] = [...this.#entries.values()];
    this.#alone = second === undefined ? first?.cell : undefined;
  }

  #add(known: KnownCell, all: readonly KnownCell[]): void {
    const { compose, logger } = this.#deps;
    const { name } = known;
    const entry = this.#entries.get(name);
    if (entry?.cell !== undefined) return;
    const added = entry ?? {
      name,
      cell: undefined,
      isUp: false,
      failedProbes: 0,
      starting: undefined,
      isStarted: false,
      failure: undefined,
    };
    this.#entries.set(name, added);
    try {
      added.cell = compose(known, all);
    } catch (error) {
      if (entry === undefined) logger.error({ cell: name, err: error }, UNKNOWN_ADDRESS);
    }
  }

  #remove({ name, cell }: Entry<C>): void {
    this.#entries.delete(name);
    this.#deps.logger.info({ cell: name }, 'a cell is gone from the directory: its work ends');
    if (cell === undefined) return;
    const stopped = endCell(cell)
      .catch((error: unknown) => {
        this.#deps.logger.warn({ cell: name, err: error }, 'ending the work of a cell failed');
      })
      .finally(() => this.#stopped.delete(stopped));
    this.#stopped.add(stopped);
  }

  /** Asks all cells side by side whether they are there, and starts those that are and were not. */
  async #probe(): Promise<void> {
    const entries = this.#sorted().filter(({ cell }) => cell !== undefined);
    const { answers } = await queryCells(
      entries,
      async (entry) => {
        if ((await entry.cell?.isReady()) !== true) throw new Error('the cell is not ready');
        await this.#begin(entry);
      },
      { deadlineMs: PROBE_DEADLINE_MS },
    );
    const answering = new Set(answers.map(({ cell }) => cell));
    for (const entry of entries) this.#note(entry, answering.has(entry));
  }

  #note(entry: Entry<C>, answers: boolean): void {
    const { logger } = this.#deps;
    const { name: cell } = entry;
    entry.failedProbes = answers ? 0 : entry.failedProbes + 1;
    if (answers && !entry.isUp) logger.info({ cell }, 'a cell answers');
    if (entry.failedProbes === FAILED_PROBES_MAX) {
      logger.error({ cell }, 'a cell does not answer: its books are refused until it does');
    }
    entry.isUp = answers || (entry.isUp && entry.failedProbes < FAILED_PROBES_MAX);
  }

  #begin(entry: Entry<C>): Promise<void> {
    entry.starting ??= this.#startCell(entry).catch((error: unknown) => {
      entry.starting = undefined;
      this.#sayFailure(entry, error);
      throw error;
    });
    return entry.starting;
  }

  /** Once, and not each second. */
  #sayFailure(entry: Entry<C>, error: unknown): void {
    const failure = String(error);
    if (entry.failure === failure) return;
    entry.failure = failure;
    this.#deps.logger.error({ cell: entry.name, err: error }, NOT_STARTED);
  }

  async #startCell(entry: Entry<C>): Promise<void> {
    await entry.cell?.prepare({ alone: this.#deps.alone });
    if (this.#entries.get(entry.name) !== entry) return;
    entry.cell?.start();
    entry.isStarted = true;
  }
}

const NOT_STARTED = 'a cell answers and cannot be used: its books are refused until it can';
const UNKNOWN_ADDRESS =
  'the address of a cell is not known or not valid: set its environment variable and start again';

/** A cell that does not know what the directory says now would take a key that is revoked. */
function isUsable({ cell, isUp }: Entry<KeptCell>): boolean {
  return isUp && cell?.isCurrent() === true;
}

async function endCell(cell: KeptCell): Promise<void> {
  await cell.stop({ withinMs: STOP_WITHIN_MS });
  await cell.close();
}
