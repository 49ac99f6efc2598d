import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AttackerOptions } from './attacker.ts';
import type { TallyReport } from './tally.ts';

const PROCESS_FILE = fileURLToPath(new URL('./attacker-process.ts', import.meta.url));
/** An attack that has not ended this long after its time is ended with its process. */
const OVERTIME_MS = 30_000;

export type AttackAnswer = Readonly<{ tally: TallyReport }> | Readonly<{ error: string }>;

export type Attackers = Readonly<{
  /** Runs one attack in the attackers' process, and resolves when it is over. Never rejects. */
  attack(options: AttackerOptions): Promise<AttackAnswer>;
  stop(): Promise<void>;
}>;

export function startAttackers(): Attackers {
  let child: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    stop,
    async attack(options) {
      if (child === undefined || !child.connected) child = fork(PROCESS_FILE);
      const { promise, resolve } = Promise.withResolvers<AttackAnswer>();
      const onExit = (): void => resolve({ error: 'the attackers ended' });
      const timer = setTimeout(() => void stop(), options.timeMaxMs + OVERTIME_MS);
      child.once('message', (answer) => resolve(answer as AttackAnswer));
      child.once('exit', onExit);
      child.send(options);
      const answer = await promise;
      clearTimeout(timer);
      child.removeAllListeners('message');
      child.removeListener('exit', onExit);
      return answer;
    },
  };
}
