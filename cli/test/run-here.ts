import { setTimeout as wait } from 'node:timers/promises';
import { runCli } from '../src/run-cli.ts';

type HereOptions = Readonly<{
  env: Readonly<Record<string, string>>;
  folder: string;
  /** What a person types at the terminal; without it there is no terminal. */
  answer?: string;
}>;

/** The sandbox of tests answers in 50 ms. */
const PAUSE_MAX_MS = 25;

/** The command line inside this process: a process of its own costs half a second each time. */
export async function runHere(args: readonly string[], { env, folder, answer }: HereOptions) {
  const written = { out: '', error: '', asked: '' };
  const code = await runCli({
    argv: args,
    env,
    folder,
    writeOut: (text) => {
      written.out += text;
    },
    writeError: (text) => {
      written.error += text;
    },
    isTerminal: { input: answer !== undefined, error: false },
    ask: async (question) => {
      written.asked += question;
      return answer ?? '';
    },
    now: () => performance.now(),
    pause: (ms, signal) =>
      wait(Math.min(ms, PAUSE_MAX_MS), undefined, { signal }).catch(() => undefined),
    stop: new AbortController().signal,
  });
  return { code, ...written };
}
