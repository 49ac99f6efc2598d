import { DigitSlots } from './digit-slots.ts';

/**
 * In test books this number's operator is down: the transfer is stored, its funds are held, and it waits in the queue
 * for longer than any run. So only acceptance is measured.
 */
export const WAITING_PHONE = '0977433941';
/** The sandbox pays this one, at once if configured so. */
export const PAYING_PHONE = '0977433571';

/** The key and the wallet of a request. */
export type Target = Readonly<{ apiKey: string; walletId: string }>;

export const AMOUNT_MINOR = 2_550n;
const AMOUNT_TEXT = '25.50';
const PATH = '/api/v1/payments/transfers/mobile-money';
const REFERENCE_PREFIX = 'salary-2026-11-';
const REFERENCE_DIGITS = 12;

/** A request that can be sent repeatedly: only what must differ is overwritten, in place. */
export interface RepeatedRequest {
  /** Its bytes, with new numbers. They must be answered before they are used again. */
  next(nextSequence: () => number): Buffer;
}

/** Pays one phone number. */
export class TransferRequest implements RepeatedRequest {
  readonly #bytes: Buffer;
  readonly #slots: DigitSlots;

  constructor({ apiKey, walletId }: Target, phone: string) {
    this.#bytes = post(apiKey, PATH, transferBody(walletId, phone));
    this.#slots = new DigitSlots(this.#bytes, REFERENCE_PREFIX, REFERENCE_DIGITS);
  }

  next(nextSequence: () => number): Buffer {
    this.#slots.fill(nextSequence);
    return this.#bytes;
  }
}

/** Pays many phone numbers by one call. */
export class BulkRequest implements RepeatedRequest {
  readonly #bytes: Buffer;
  readonly #slots: DigitSlots;

  constructor({ apiKey, walletId }: Target, phone: string, transfersPerCall: number) {
    const bodies = Array.from({ length: transfersPerCall }, () => transferBody(walletId, phone));
    this.#bytes = post(apiKey, `${PATH}/bulk`, `{"transfers":[${bodies.join(',')}]}`);
    this.#slots = new DigitSlots(this.#bytes, REFERENCE_PREFIX, REFERENCE_DIGITS);
  }

  next(nextSequence: () => number): Buffer {
    this.#slots.fill(nextSequence);
    return this.#bytes;
  }
}

function transferBody(walletId: string, phone: string): string {
  const reference = REFERENCE_PREFIX + '0'.repeat(REFERENCE_DIGITS);
  return (
    `{"amount":${AMOUNT_TEXT},"reference":"${reference}","phone":"${phone}",` +
    `"operator":"mtn","country":"zm","walletId":"${walletId}",` +
    `"narration":"Salary of November","recipientName":"Chanda Mwansa"}`
  );
}

function post(apiKey: string, path: string, body: string): Buffer {
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${apiKey}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    'latin1',
  );
}
