/** A "no" of the command line itself: what is wrong, and what to do about it. */
export class CommandRefused extends Error {
  readonly advice: string;

  constructor(message: string, advice: string) {
    super(message);
    this.name = 'CommandRefused';
    this.advice = advice;
  }
}
