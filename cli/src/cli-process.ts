/** The process that runs a command: its arguments, environment, streams and signals. */
export type CliProcess = Readonly<{
  /** Without the program's own name. */
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** Where relative paths of the command line begin. */
  folder: string;
  writeOut: (text: string) => void;
  writeError: (text: string) => void;
  /** Whether a person can answer a question, and can see the progress. */
  isTerminal: Readonly<{ input: boolean; error: boolean }>;
  ask: (question: string, stop: AbortSignal) => Promise<string>;
  now: () => number;
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Aborted once the command is asked to end. */
  stop: AbortSignal;
}>;
