import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { shell } from '../texts/en/shell.ts';
import { usePreferences } from './preferences.ts';

/** A key, or two after each other with a space between: `g t`. */
export type KeyAct = Readonly<{ keys: string; label: string; act: () => void; isGlobal?: boolean }>;

/** The second key must follow the first within this time. */
const SEQUENCE_MS = 1_200;

type Registry = Readonly<{ acts: Set<() => readonly KeyAct[]> }>;
const KeyboardContext = createContext<Registry>({ acts: new Set() });

export function KeyboardProvider({ children }: Readonly<{ children: ReactNode }>) {
  const [registry] = useState<Registry>(() => ({ acts: new Set() }));
  const { singleKeys } = usePreferences();
  const [shown, setShown] = useState<readonly KeyAct[]>();
  const listAll = () => [...registry.acts].toReversed().flatMap((list) => list());

  const onKey = useEffectEvent((event: KeyboardEvent, first: string): string => {
    if (!singleKeys || isTyping(event) || isModalOpen()) return '';
    // Enter uses what has the focus.
    if (event.key === 'Enter' && isControl(event)) return '';
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return '';
    const key = event.key.length === 1 ? event.key : event.key.toLowerCase();
    const typed = first === '' ? keyName(event, key) : `${first} ${key}`;
    if (typed === '?') {
      event.preventDefault();
      setShown(listAll());
      return '';
    }
    const acts = listAll();
    const hit = acts.find(({ keys }) => keys === typed);
    if (hit !== undefined) {
      event.preventDefault();
      hit.act();
      return '';
    }
    return acts.some(({ keys }) => keys.startsWith(`${typed} `)) ? typed : '';
  });
  useEffect(() => {
    let first = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const listen = (event: KeyboardEvent) => {
      clearTimeout(timer);
      first = onKey(event, first);
      timer = setTimeout(() => {
        first = '';
      }, SEQUENCE_MS);
    };
    document.addEventListener('keydown', listen);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('keydown', listen);
    };
  }, []);
  useEffect(() => {
    const open = () => setShown(listAll());
    document.addEventListener(SHOW_KEYS, open);
    return () => document.removeEventListener(SHOW_KEYS, open);
  });
  return (
    <KeyboardContext value={registry}>
      {children}
      {shown !== undefined && <KeyList acts={shown} onClose={() => setShown(undefined)} />}
    </KeyboardContext>
  );
}

const SHOWN_KEYS: Readonly<Record<string, string>> = { enter: 'Enter', escape: 'Esc' };

const SHOW_KEYS = 'kafue:show-keys';

/** Opens the list of keys from a menu, also when single keys are off. */
export function showKeys(): void {
  document.dispatchEvent(new Event(SHOW_KEYS));
}

/** Keys of a page or a part, as long as it is on the screen. The innermost wins. */
export function useKeys(acts: readonly KeyAct[]): void {
  const registry = useContext(KeyboardContext);
  const read = useEffectEvent(() => acts);
  useEffect(() => {
    const list = () => read();
    registry.acts.add(list);
    return () => {
      registry.acts.delete(list);
    };
  }, [registry]);
}

function keyName(event: KeyboardEvent, key: string): string {
  return event.shiftKey && /^[A-Z]$/.test(key) ? `Shift ${key.toLowerCase()}` : key;
}

function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'button'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

function isControl({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('a, button, summary, input') !== null;
}

function isModalOpen(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

function KeyList({ acts, onClose }: Readonly<{ acts: readonly KeyAct[]; onClose: () => void }>) {
  const { singleKeys } = usePreferences();
  const groups = [
    { title: shell.keys.groups.page, acts: acts.filter(({ isGlobal }) => isGlobal !== true) },
    {
      title: shell.keys.groups.everywhere,
      acts: [
        ...acts.filter(({ isGlobal }) => isGlobal === true),
        { keys: '?', label: shell.keys.list },
        { keys: 'Esc', label: shell.keys.close },
      ],
    },
  ].filter((group) => group.acts.length > 0);
  return (
    <Dialog title={shell.keys.title} onClose={onClose} size="wide">
      <div className="stack">
        {groups.map((group) => (
          <section key={group.title}>
            <h3 className="keys-title">{group.title}</h3>
            <dl className="keys">
              {group.acts.map(({ keys, label }) => (
                <div key={keys} className="keys-pair">
                  <dt>
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{SHOWN_KEYS[key] ?? key}</kbd>
                    ))}
                  </dt>
                  <dd>{label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <p className="help">{singleKeys ? shell.keys.help : shell.keys.off}</p>
      </div>
    </Dialog>
  );
}
