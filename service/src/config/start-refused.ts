/** The service cannot start, for a reason outside of it; the message says what to do. */
export class StartRefused extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StartRefused';
  }
}
