import { useSyncExternalStore } from 'react';
import { shell } from '../texts/en/shell.ts';
import { Icon } from './icon.tsx';

/** Polite news is read out at most this often; what comes in between is dropped but for the last. */
const POLITE_EVERY_MS = 10_000;
const TOAST_MS = 6_000;

type Toast = Readonly<{ id: number; tone: 'good' | 'info' | 'bad'; text: string }>;
type Said = Readonly<{ polite: string; assertive: string; toasts: readonly Toast[] }>;

let said: Said = { polite: '', assertive: '', toasts: [] };
let nextId = 1;
let politeAt = 0;
let politeTimer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function change(next: Partial<Said>): void {
  said = { ...said, ...next };
  for (const listener of listeners) listener();
}

/** Says something to screen readers. Assertive is for the outcome of the reader's own act. */
export function announce(text: string, how: 'polite' | 'assertive' = 'polite'): void {
  if (how === 'assertive') {
    change({ assertive: text });
    return;
  }
  clearTimeout(politeTimer);
  const wait = Math.max(0, politeAt + POLITE_EVERY_MS - Date.now());
  politeTimer = setTimeout(() => {
    politeAt = Date.now();
    change({ polite: text });
  }, wait);
}

/** Shows the outcome of the reader's own act for a moment, and says it to screen readers. */
export function toast(text: string, tone: Toast['tone'] = 'good'): void {
  const id = nextId;
  nextId += 1;
  // The same words again take the place of the earlier ones: several acts in a row would cover the page.
  const others = said.toasts.filter((one) => one.text !== text);
  change({ assertive: text, toasts: [...others.slice(-2), { id, tone, text }] });
  if (tone !== 'bad') setTimeout(() => dismiss(id), TOAST_MS);
}

function dismiss(id: number): void {
  change({ toasts: said.toasts.filter((one) => one.id !== id) });
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** The live regions. They are in the page from the start: a region that appears with its text is not read out. */
export function Announcer() {
  const { polite, assertive, toasts } = useSyncExternalStore(subscribe, () => said);
  return (
    <>
      <div className="visually-hidden" role="status" aria-live="polite">
        {polite}
      </div>
      <div className="visually-hidden" role="alert" aria-live="assertive">
        {assertive}
      </div>
      <div className="toasts">
        {toasts.map(({ id, tone, text }) => (
          <div key={id} className={`note note-${tone} toast`}>
            <Icon name={tone === 'bad' ? 'failed' : tone === 'good' ? 'succeeded' : 'info'} />
            <div>{text}</div>
            <button
              type="button"
              className="copy"
              aria-label={shell.close}
              onClick={() => dismiss(id)}
            >
              <Icon name="close" />
            </button>
          </div>
        ))}
      </div>
    </>
  );
}
