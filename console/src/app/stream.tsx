import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { addressOf } from '../api/call.ts';
import { followStream, type StreamState } from '../api/event-stream.ts';
import { isSessionEnded, noticeSessionEnded, onSessionEnded } from '../api/session-ended.ts';
import type { Change } from '../api/types.ts';
import { toast } from '../parts/announce.tsx';
import { shell } from '../texts/en/shell.ts';
import { refreshSometimes } from './refresh-sometimes.ts';
import { SESSION_KEY } from './session.ts';
import { watchSight } from './watch-sight.ts';

const SILENCE_MS = 10_000;
const WAIT_MIN_MS = 500;
const WAIT_MAX_MS = 8_000;
/** Changes come in bursts. What is shown is loaded again at most this often. */
const REFRESH_EVERY_MS = 1_000;

/** A tab that is not in sight gives its connection back after this time: a browser has six for all tabs together. */
const HIDDEN_MS = 5_000;

/** What is shown may have changed after it was loaded and before the stream opened. */
const OPENED: Change = { what: 'opened', id: '' };

type Listener = (change: Change) => void;
type Stream = Readonly<{
  state: StreamState;
  tryNow: () => void;
  listen: (listener: Listener) => () => void;
}>;

const StreamContext = createContext<Stream>({
  state: { kind: 'none' },
  tryNow: () => undefined,
  listen: () => () => undefined,
});

/** One stream for the tab: of the open book, or of the staff when `bookId` is undefined. */
export function StreamProvider({
  bookId,
  isOn,
  children,
}: Readonly<{ bookId: string | undefined; isOn: boolean; children: ReactNode }>) {
  const queries = useQueryClient();
  const [state, setState] = useState<StreamState>({ kind: 'connecting' });
  const [listeners] = useState(() => new Set<Listener>());
  const followed = useRef<{ tryNow: () => void }>(undefined);
  const isEnded = useSyncExternalStore(onSessionEnded, isSessionEnded);
  const isInSight = useIsInSight();
  const scope = bookId === undefined ? 'staff' : bookId;

  const onState = useEffectEvent((next: StreamState) => {
    if (next.kind === 'signed out') noticeSessionEnded();
    // A role was taken away, or there is none here: the session is loaded again to know what the person may see.
    if (next.kind === 'none') void queries.invalidateQueries({ queryKey: SESSION_KEY });
    if (next.kind === 'current' && state.kind === 'lost') {
      // Everything is loaded again, also data that the stream does not report: nothing was read while it was lost.
      void queries.invalidateQueries();
      toast(shell.offline.healed);
    }
    setState(next);
  });
  useEffect(() => {
    if (!isOn || isEnded || !isInSight) return undefined;
    const path = bookId === undefined ? '/operations/stream' : '/payments/stream';
    const refresh = refreshSometimes(
      () =>
        queries.invalidateQueries({
          predicate: ({ queryKey, meta }) =>
            meta?.['isList'] !== true && (queryKey[0] === 'staff' || queryKey[1] === scope),
        }),
      REFRESH_EVERY_MS,
    );
    const tell = (change: Change) => {
      for (const listener of listeners) listener(change);
      refresh.ask();
    };
    const stream = followStream({
      open: (signal) =>
        fetch(addressOf(path), {
          signal,
          cache: 'no-store',
          credentials: 'same-origin',
          headers: {
            accept: 'text/event-stream',
            ...(bookId === undefined ? {} : { 'x-book': bookId }),
          },
        }),
      onChange: tell,
      onOpen: () => tell(OPENED),
      onState,
      now: () => new Date(),
      jitter: Math.random,
      silenceMs: SILENCE_MS,
      waitMinMs: WAIT_MIN_MS,
      waitMaxMs: WAIT_MAX_MS,
    });
    followed.current = stream;
    return () => {
      stream.stop();
      refresh.stop();
    };
  }, [bookId, isOn, isEnded, isInSight, scope, queries, listeners]);

  const value = useMemo<Stream>(
    () => ({
      state,
      tryNow: () => followed.current?.tryNow(),
      listen: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    }),
    [state, listeners],
  );
  return <StreamContext value={value}>{children}</StreamContext>;
}

/** False while the tab has not been in sight for a while. */
function useIsInSight(): boolean {
  const [isInSight, setInSight] = useState(true);
  useEffect(() => watchSight(document, { onChange: setInSight, hiddenMs: HIDDEN_MS }), []);
  return isInSight;
}

export function useStreamState(): Pick<Stream, 'state' | 'tryNow'> {
  return useContext(StreamContext);
}

/** False while the connection is lost: acts are inactive then. */
export function useIsConnected(): boolean {
  return useContext(StreamContext).state.kind !== 'lost';
}

/** Calls back for every change in the stream, of any kind, and with `opened` whenever the stream opens. */
export function useChanges(listener: Listener): void {
  const { listen } = useContext(StreamContext);
  const onChange = useEffectEvent(listener);
  useEffect(() => listen((change) => onChange(change)), [listen]);
}
