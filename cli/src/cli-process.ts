/** The world around a command. */
export type CliProcess = Readonly<{
  /** Without the program's own name. */
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** Where relative paths of the command line begin. */
  folder: string;
  writeOut: (text: string) => void;
  writeError: (text: string) => void;
  /** Whether somebody can answer a question, and whether somebody looks at the progress. */
  isTerminal: Readonly<{ input: boolean; error: boolean }>;
  ask: (question: string, stop: AbortSignal) => Promise<string>;
  now: () => number;
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Aborted once somebody wants the command to come to its end. */
  stop: AbortSignal;
}>;
