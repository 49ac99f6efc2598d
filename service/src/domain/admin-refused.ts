/** A "no" to an administrator: what is wrong, and what to do about it. */
export class AdminRefused extends Error {
  readonly advice: string;

  constructor(message: string, advice: string) {
    super(message);
    this.name = 'AdminRefused';
    this.advice = advice;
  }
}
