/**
 * In test books this number's operator is down: the transfer is stored, its funds are held, and it waits
 * in the queue for longer than any run. So what is measured is acceptance alone.
 */
const PHONE = '0977433941';
/** Whose money a request moves. */
export type Target = Readonly<{ apiKey: string; walletId: string }>;

export const AMOUNT_MINOR = 2_550n;
const AMOUNT_TEXT = '25.50';
const PATH = '/api/v1/payments/transfers/mobile-money';
const REFERENCE_PREFIX = 'salary-2026-11-';
const REFERENCE_DIGITS = 12;
const DIGIT_ZERO = 0x30;

/**
 * One request to pay, as bytes made beforehand: only the digits of its reference change, in place. So
 * one request must be answered before the same bytes are used for the next.
 */
export class TransferRequest {
  readonly bytes: Buffer;
  readonly #digitsAt: number;

  constructor({ apiKey, walletId }: Target) {
    const reference = REFERENCE_PREFIX + '0'.repeat(REFERENCE_DIGITS);
    const body =
      `{"amount":${AMOUNT_TEXT},"reference":"${reference}","phone":"${PHONE}",` +
      `"operator":"mtn","country":"zm","walletId":"${walletId}",` +
      `"narration":"Salary of November","recipientName":"Chanda Mwansa"}`;
    this.bytes = Buffer.from(
      `POST ${PATH} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${apiKey}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      'latin1',
    );
    this.#digitsAt = this.bytes.indexOf(reference) + REFERENCE_PREFIX.length;
  }

  /** Gives the request its own reference. */
  number(sequence: number): Buffer {
    let rest = sequence;
    for (let digit = REFERENCE_DIGITS - 1; digit >= 0; digit -= 1) {
      this.bytes[this.#digitsAt + digit] = DIGIT_ZERO + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    return this.bytes;
  }
}
