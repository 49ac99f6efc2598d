import { refuse } from '../../domain/refusal.ts';
import { OwnerCounts } from './owner-counts.ts';

export type DownloadLimits = Readonly<{
  /** Of all keys of a merchant, or of a person. */
  ofOwnerMax: number;
  /** Of all people and keys of a merchant together: however many people it has, most places are left for others. */
  ofMerchantMax: number;
  /** In all. Each takes about a megabyte: a page of rows, and what is not compressed or read yet. */
  max: number;
  /** A client that reads more slowly is cut: it would keep its place for hours. */
  timeMaxMs: number;
}>;

export const DOWNLOAD_LIMITS: DownloadLimits = {
  ofOwnerMax: 4,
  ofMerchantMax: 8,
  max: 64,
  timeMaxMs: 600_000,
};

export type Downloader = Readonly<{
  owner: string;
  /** Undefined: one of the staff, who are counted for themselves alone. */
  merchantId: string | undefined;
}>;

/** The files that are being sent page by page. */
export class OpenDownloads {
  readonly #limits: DownloadLimits;
  readonly #openOf = new OwnerCounts();
  readonly #openOfMerchant = new OwnerCounts();
  #open = 0;

  constructor(limits: DownloadLimits) {
    this.#limits = limits;
  }

  /**
   * Throws if the owner or the merchant has too many, or there are too many. `cut` is called when one takes too long. Call
   * what is returned once, when the download has ended.
   */
  open(downloader: Downloader, cut: () => void): () => void {
    const { max, timeMaxMs } = this.#limits;
    this.#refuseTooMany(downloader);
    if (this.#open >= max) throw refuse('UNAVAILABLE');
    this.#count(downloader, 1);
    const timer = setTimeout(cut, timeMaxMs).unref();
    return () => {
      clearTimeout(timer);
      this.#count(downloader, -1);
    };
  }

  #refuseTooMany({ owner, merchantId }: Downloader): void {
    const { ofOwnerMax, ofMerchantMax } = this.#limits;
    if (this.#openOf.get(owner) >= ofOwnerMax) {
      throw refuse('RATE_LIMITED', {
        message: `You have ${ofOwnerMax} downloads under way, which is the most. Wait until one has ended.`,
      });
    }
    if (merchantId !== undefined && this.#openOfMerchant.get(merchantId) >= ofMerchantMax) {
      throw refuse('RATE_LIMITED', {
        message: `The people and keys of your merchant have ${ofMerchantMax} downloads under way, which is the most. Wait until one has ended.`,
      });
    }
  }

  #count({ owner, merchantId }: Downloader, change: number): void {
    this.#open += change;
    this.#openOf.add(owner, change);
    if (merchantId !== undefined) this.#openOfMerchant.add(merchantId, change);
  }
}
