import { createInterface } from 'node:readline/promises';

type Terminal = Readonly<{
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  isTerminal: boolean;
  /** Called on Ctrl-C, which readline takes before it becomes a signal. */
  onInterrupt: () => void;
}>;

/** What a person answers; empty when the input ends or the question is interrupted. */
export async function askQuestion(
  { onInterrupt, isTerminal: terminal, ...streams }: Terminal,
  question: string,
  signal: AbortSignal,
): Promise<string> {
  const lines = createInterface({ ...streams, terminal });
  try {
    // An input that is closed without an answer does not count as yes.
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    lines.once('SIGINT', () => {
      onInterrupt();
      lines.close();
    });
    return await Promise.race([lines.question(question, { signal }).catch(() => ''), closed]);
  } finally {
    lines.close();
  }
}
