const DIGIT_ZERO = 0x30;

/** The slots in prepared bytes where a number follows a prefix, to be overwritten in place. */
export class DigitSlots {
  readonly #bytes: Buffer;
  readonly #digits: number;
  readonly #starts: readonly number[];

  constructor(bytes: Buffer, prefix: string, digits: number) {
    this.#bytes = bytes;
    this.#digits = digits;
    const starts: number[] = [];
    for (let at = bytes.indexOf(prefix); at !== -1; at = bytes.indexOf(prefix, at + 1)) {
      starts.push(at + prefix.length);
    }
    this.#starts = starts;
  }

  /** Writes a new number into every slot. */
  fill(nextNumber: () => number): void {
    for (const start of this.#starts) this.#write(start, nextNumber());
  }

  #write(start: number, value: number): void {
    let rest = value;
    for (let digit = this.#digits - 1; digit >= 0; digit -= 1) {
      this.#bytes[start + digit] = DIGIT_ZERO + (rest % 10);
      rest = Math.floor(rest / 10);
    }
  }
}
