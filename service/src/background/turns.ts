/** Lets a few of those who ask proceed at the same time, in the order in which they asked. */
export type Turns = Readonly<{
  /** Resolves with what ends the turn. It may be called more than once. */
  take(): Promise<() => void>;
  /** How many wait for a turn. */
  waiting(): number;
}>;

export function createTurns(max: number): Turns {
  let taken = 0;
  const waiting: (() => void)[] = [];

  function give(): () => void {
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      const next = waiting.shift();
      // Handed over: a turn that was free for a moment could be taken by one that came later.
      if (next === undefined) taken -= 1;
      else next();
    };
  }

  return {
    async take() {
      if (taken < max) taken += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return give();
    },
    waiting: () => waiting.length,
  };
}

/** The turns of each server. Those who name the same one share them. */
export function createTurnsByServer(max: number): (server: string | null) => Turns {
  const known = new Map<string | null, Turns>();
  return (server) => {
    const turns = known.get(server) ?? createTurns(max);
    known.set(server, turns);
    return turns;
  };
}
