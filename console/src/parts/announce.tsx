import { useState, useSyncExternalStore } from 'react';
import { shell } from '../texts/en/shell.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** Polite messages are read out at most this often. Of those in between only the last is kept. */
const POLITE_EVERY_MS = 10_000;
const TOAST_MS = 6_000;

/** The dialog that an act closes is gone by then: what changes in the page behind it is not read out. */
const ASSERTIVE_AFTER_MS = 100;

/** A button of the toast, such as one that opens what it tells of. */
type ToastAct = Readonly<{ label: string; run: () => void }>;
type Toast = Readonly<{
  id: number;
  tone: 'good' | 'info' | 'bad';
  text: string;
  act?: ToastAct | undefined;
}>;
/** `id`: counts up, so that a region knows what was said before it was there. */
type Line = Readonly<{ id: number; text: string }>;
type Said = Readonly<{ polite: Line; assertive: Line; toasts: readonly Toast[] }>;

const NOTHING: Line = { id: 0, text: '' };
let said: Said = { polite: NOTHING, assertive: NOTHING, toasts: [] };
let nextId = 1;
let politeAt = 0;
let politeTimer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function takeId(): number {
  const id = nextId;
  nextId += 1;
  return id;
}

function change(next: Partial<Said>): void {
  said = { ...said, ...next };
  for (const listener of listeners) listener();
}

/** Says something to screen readers. Assertive is for the outcome of the reader's own act. */
export function announce(text: string, how: 'polite' | 'assertive' = 'polite'): void {
  if (how === 'assertive') {
    setTimeout(() => change({ assertive: { id: takeId(), text } }), ASSERTIVE_AFTER_MS);
    return;
  }
  clearTimeout(politeTimer);
  const wait = Math.max(0, politeAt + POLITE_EVERY_MS - Date.now());
  politeTimer = setTimeout(() => {
    politeAt = Date.now();
    change({ polite: { id: takeId(), text } });
  }, wait);
}

/** Shows the outcome of the reader's own act for a moment, and says it to screen readers. */
export function toast(text: string, tone: Toast['tone'] = 'good', act?: ToastAct): void {
  const id = takeId();
  // The same text replaces the earlier one: otherwise several acts in a row would cover the page.
  const others = said.toasts.filter((one) => one.text !== text);
  change({ toasts: [...others.slice(-2), { id, tone, text, act }] });
  announce(text, 'assertive');
  if (tone !== 'bad' && act === undefined) setTimeout(() => dismiss(id), TOAST_MS);
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

/**
 * The live regions of the page or of a dialog: behind an open dialog nothing is read out. They are there before their
 * text: a region that appears with it is not read out.
 */
export function LiveRegions() {
  const { polite, assertive } = useSyncExternalStore(subscribe, () => said);
  const [before] = useState(() => ({ polite: said.polite.id, assertive: said.assertive.id }));
  return (
    <>
      <div className="visually-hidden" role="status" aria-live="polite">
        {polite.id > before.polite && polite.text}
      </div>
      <div className="visually-hidden" role="alert" aria-live="assertive">
        {assertive.id > before.assertive && assertive.text}
      </div>
    </>
  );
}

/** What is said to screen readers, and the toasts. */
export function Announcer() {
  const { toasts } = useSyncExternalStore(subscribe, () => said);
  return (
    <>
      <LiveRegions />
      <div className="toasts">
        {toasts.map(({ id, tone, text, act }) => (
          <div key={id} className={`note note-${tone} toast`}>
            <Icon name={tone === 'bad' ? 'failed' : tone === 'good' ? 'succeeded' : 'info'} />
            <div>{text}</div>
            {act !== undefined && (
              <Button
                size="sm"
                onClick={() => {
                  dismiss(id);
                  act.run();
                }}
              >
                {act.label}
              </Button>
            )}
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
