/** From sysexits, except 1. */
export const EXIT = {
  done: 0,
  /** Some lines were refused, failed, or are not known. */
  incomplete: 1,
  usage: 64,
  badFile: 65,
  unreachable: 69,
  /** The wallet is short or frozen, and nothing was sent: fund it and run the same command again. */
  balanceShort: 75,
  /** People must approve it first: run the same command again afterwards. */
  awaitsApproval: 77,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Why a command ended without doing its work, and what to do about it. */
export class CliProblem extends Error {
  readonly advice: string;
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, advice: string) {
    super(message);
    this.name = 'CliProblem';
    this.exitCode = exitCode;
    this.advice = advice;
  }
}
