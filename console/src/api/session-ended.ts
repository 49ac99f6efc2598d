type Listener = (ended: boolean) => void;

/** Whether the service has said that the session ended. The sign-in over the page clears it. */
let ended = false;
const listeners = new Set<Listener>();

export function noticeSessionEnded(): void {
  change(true);
}

export function clearSessionEnded(): void {
  change(false);
}

export function isSessionEnded(): boolean {
  return ended;
}

export function onSessionEnded(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(now: boolean): void {
  if (ended === now) return;
  ended = now;
  for (const listener of listeners) listener(now);
}
