export type Fetched<Value> =
  | Readonly<{ kind: 'fetched'; value: Value; freshForMs: number; usableForMs: number }>
  | Readonly<{ kind: 'failed'; cause: string }>;

type Ready<Value> =
  | Readonly<{ kind: 'ready'; value: Value }>
  | Readonly<{ kind: 'failed'; cause: string }>;

export type KeptFresh<Value> = Readonly<{
  get(): Promise<Ready<Value>>;
  /** The value was refused. Nothing happens when another one has taken its place already. */
  forget(value: Value): void;
}>;

/**
 * Keeps a value that grows old. However many ask at once, it is fetched once. While it is no longer
 * fresh but still usable, a new one is fetched in the background and nobody waits for it, so that
 * neither a slow nor a failing renewal is felt before the old value has run out.
 */
export function keepFresh<Value>(
  deps: Readonly<{ fetch: () => Promise<Fetched<Value>>; nowMs: () => number }>,
): KeptFresh<Value> {
  let kept: Readonly<{ value: Value; freshUntilMs: number; usableUntilMs: number }> | undefined;
  let underWay: Promise<Fetched<Value>> | undefined;

  async function renew(): Promise<Fetched<Value>> {
    // What was asked for now was made now at the earliest, so its age counts from the question.
    const askedAtMs = deps.nowMs();
    const fetched = await deps.fetch().catch(unexpected);
    underWay = undefined;
    if (fetched.kind === 'fetched') {
      kept = {
        value: fetched.value,
        freshUntilMs: askedAtMs + fetched.freshForMs,
        usableUntilMs: askedAtMs + fetched.usableForMs,
      };
    }
    return fetched;
  }

  return {
    async get() {
      const nowMs = deps.nowMs();
      if (kept !== undefined && nowMs < kept.freshUntilMs) return ready(kept.value);
      underWay ??= renew();
      if (kept !== undefined && nowMs < kept.usableUntilMs) return ready(kept.value);
      const fetched = await underWay;
      return fetched.kind === 'fetched' ? ready(fetched.value) : fetched;
    },
    forget(value) {
      if (kept?.value === value) kept = undefined;
    },
  };
}

function ready<Value>(value: Value): Ready<Value> {
  return { kind: 'ready', value };
}

function unexpected(error: unknown): Readonly<{ kind: 'failed'; cause: string }> {
  return { kind: 'failed', cause: error instanceof Error ? error.name : 'an unknown error' };
}
