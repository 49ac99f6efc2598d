import type { Change } from './types.ts';

export type StreamState =
  | Readonly<{ kind: 'connecting' }>
  /** Called with the time of every event and heartbeat. */
  | Readonly<{ kind: 'current'; at: Date }>
  | Readonly<{ kind: 'lost'; since: Date }>
  /** The person has as many streams open as the service allows, such as in other tabs. Other calls are answered. */
  | Readonly<{ kind: 'too many' }>
  /** The service has no stream for this person here. */
  | Readonly<{ kind: 'none' }>
  | Readonly<{ kind: 'signed out' }>;

export type StreamDeps = Readonly<{
  open: (signal: AbortSignal) => Promise<Response>;
  onChange: (change: Change) => void;
  /** The stream has opened. Changes before that, also between two streams, were not reported. */
  onOpen: () => void;
  onState: (state: StreamState) => void;
  now: () => Date;
  /** A share of 1 by which the wait before the next attempt is shortened, so that tabs do not return together. */
  jitter: () => number;
  /** Without a byte for this long the connection counts as lost. The service sends a heartbeat every 5 s. */
  silenceMs: number;
  waitMinMs: number;
  waitMaxMs: number;
}>;

/** How long to wait before the next attempt: doubles up to the maximum. */
export function waitBefore(
  attempt: number,
  { waitMinMs, waitMaxMs, jitter }: Pick<StreamDeps, 'waitMinMs' | 'waitMaxMs' | 'jitter'>,
): number {
  const full = Math.min(waitMaxMs, waitMinMs * 2 ** Math.min(attempt, 16));
  return full * (1 - jitter() / 2);
}

/** Reads the stream until `stop`, and opens it again whenever it ends or falls silent. */
export function followStream(deps: StreamDeps): Readonly<{ stop: () => void; tryNow: () => void }> {
  const stopped = new AbortController();
  let wake: () => void = () => undefined;
  void follow(deps, stopped.signal, (waking) => {
    wake = waking;
  });
  return { stop: () => stopped.abort(), tryNow: () => wake() };
}

async function follow(
  deps: StreamDeps,
  stopped: AbortSignal,
  onWait: (wake: () => void) => void,
): Promise<void> {
  let attempt = 0;
  let lastNews = deps.now();
  deps.onState({ kind: 'connecting' });
  while (!stopped.aborted) {
    const end = await readOnce(deps, stopped, () => {
      attempt = 0;
      lastNews = deps.now();
      deps.onState({ kind: 'current', at: lastNews });
    });
    if (stopped.aborted) return;
    if (end === 'signed out' || end === 'none') {
      deps.onState({ kind: end });
      return;
    }
    if (end === 'too many') {
      deps.onState({ kind: 'too many' });
      await pause(waitBefore(attempt, deps), stopped, onWait);
      attempt += 1;
      continue;
    }
    // A stream that ends is opened again soon; only silence beyond the limit is a lost connection, and it shows then.
    const leftMs = lastNews.getTime() + deps.silenceMs - deps.now().getTime();
    if (leftMs <= 0) deps.onState({ kind: 'lost', since: lastNews });
    const waitMs = waitBefore(attempt, deps);
    await pause(leftMs > 0 ? Math.min(waitMs, leftMs) : waitMs, stopped, onWait);
    attempt += 1;
  }
}

async function readOnce(
  deps: StreamDeps,
  stopped: AbortSignal,
  onNews: () => void,
): Promise<'lost' | 'too many' | 'none' | 'signed out'> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), deps.silenceMs);
  const signal = AbortSignal.any([stopped, silence.signal]);
  try {
    const answer = await deps.open(signal);
    if (answer.status === 401) return 'signed out';
    if (answer.status === 403 || answer.status === 404) return 'none';
    if (answer.status === 429) return 'too many';
    if (!answer.ok || answer.body === null) return 'lost';
    const read = createEventReader(deps.onChange);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    onNews();
    deps.onOpen();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return 'lost';
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), deps.silenceMs);
      onNews();
      read(value);
    }
  } catch {
    return 'lost';
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

/** An incomplete event is kept up to this length; a longer one is dropped. */
const EVENT_LENGTH_MAX = 65_536;

/** Takes text as it comes, in any pieces, and calls back for every whole `changed` event. */
export function createEventReader(onChange: (change: Change) => void): (text: string) => void {
  let kept = '';
  return (text) => {
    const blocks = (kept + text).split(/\r?\n\r?\n/);
    kept = blocks.pop() ?? '';
    if (kept.length > EVENT_LENGTH_MAX) kept = '';
    for (const block of blocks) {
      const change = readBlock(block);
      if (change !== undefined) onChange(change);
    }
  };
}

function readBlock(block: string): Change | undefined {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith('event:')) event = line.slice(6).trim();
    if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
  }
  if (event !== 'changed' || data.length === 0) return undefined;
  try {
    const change = JSON.parse(data.join('\n')) as Partial<Change>;
    return typeof change.what === 'string' && typeof change.id === 'string'
      ? (change as Change)
      : undefined;
  } catch {
    return undefined;
  }
}

function pause(
  ms: number,
  stopped: AbortSignal,
  onWait: (wake: () => void) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    onWait(end);
    stopped.addEventListener('abort', end, { once: true });
  });
}
