import { refuse } from '../../domain/refusal.ts';
import { OwnerCounts } from './owner-counts.ts';

export type DownloadLimits = Readonly<{
  /** Of all keys of a merchant, or of a person. */
  ofOwnerMax: number;
  /** In all. Each takes about a megabyte: a page of rows, and what is not compressed or read yet. */
  max: number;
  /** A client that reads more slowly is cut: it would keep its place for hours. */
  timeMaxMs: number;
}>;

export const DOWNLOAD_LIMITS: DownloadLimits = { ofOwnerMax: 4, max: 64, timeMaxMs: 600_000 };

/** The files that are being sent page by page. */
export class OpenDownloads {
  readonly #limits: DownloadLimits;
  readonly #openOf = new OwnerCounts();
  #open = 0;

  constructor(limits: DownloadLimits) {
    this.#limits = limits;
  }

  /**
   * Throws if the owner has too many, or there are too many. `cut` is called when one takes too long. Call what is
   * returned once, when the download has ended.
   */
  open(owner: string, cut: () => void): () => void {
    const { ofOwnerMax, max, timeMaxMs } = this.#limits;
    if (this.#openOf.get(owner) >= ofOwnerMax) {
      throw refuse('RATE_LIMITED', {
        message: `You have ${ofOwnerMax} downloads under way, which is the most. Wait until one has ended.`,
      });
    }
    if (this.#open >= max) throw refuse('UNAVAILABLE');
    this.#count(owner, 1);
    const timer = setTimeout(cut, timeMaxMs).unref();
    return () => {
      clearTimeout(timer);
      this.#count(owner, -1);
    };
  }

  #count(owner: string, change: number): void {
    this.#open += change;
    this.#openOf.add(owner, change);
  }
}
