import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';

type Item = Readonly<{
  key: string;
  content: ReactNode;
  onChoose: () => void;
  isCurrent?: boolean;
}>;

type Given = Readonly<{
  /** Of the button. Its words are its name: `children` holds them all. */
  className: string;
  /** Of the list that opens. */
  label: string;
  children: ReactNode;
  items: readonly Item[];
  align?: 'start' | 'end';
  /** Opens it by the keyboard from elsewhere on the page. */
  buttonRef?: React.RefObject<HTMLButtonElement | null>;
}>;

/** A button with a menu: arrow keys, Home, End, Esc, and letters jump to the item that begins so. */
export function Menu({ className, label, children, items, align = 'start', buttonRef }: Given) {
  const [isOpen, setOpen] = useState(false);
  const own = useRef<HTMLButtonElement>(null);
  const button = buttonRef ?? own;
  const list = useRef<HTMLDivElement>(null);
  const id = useId();

  useEffect(() => {
    if (!isOpen) return undefined;
    const current = list.current?.querySelector<HTMLElement>('[aria-current]');
    (current ?? list.current?.querySelector<HTMLElement>('[role=menuitem]'))?.focus();
    const onOutside = (event: PointerEvent) => {
      const target = event.target as Node;
      if (!list.current?.contains(target) && !button.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', onOutside);
    return () => document.removeEventListener('pointerdown', onOutside);
  }, [isOpen, button]);

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div className="menu-place">
      <button
        ref={button}
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {children}
      </button>
      {isOpen && (
        <div
          ref={list}
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          className={`menu menu-${align}`}
          onKeyDown={(event) => moveInMenu(event, close)}
        >
          {items.map((item) => (
            <button
              key={item.key}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className="menu-item"
              aria-current={item.isCurrent === true ? true : undefined}
              onClick={() => {
                close();
                item.onChoose();
              }}
            >
              {item.content}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function moveInMenu(event: KeyboardEvent<HTMLDivElement>, close: () => void): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const { key } = event;
  if (key === 'Escape' || key === 'Tab') {
    if (key === 'Escape') event.preventDefault();
    event.stopPropagation();
    close();
    return;
  }
  const target = targetOf(key, at, items);
  if (target === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  target.focus();
}

function targetOf(key: string, at: number, items: readonly HTMLElement[]): HTMLElement | undefined {
  switch (key) {
    case 'ArrowDown':
      return items[(at + 1) % items.length];
    case 'ArrowUp':
      return items.at(at - 1);
    case 'Home':
      return items[0];
    case 'End':
      return items.at(-1);
    default: {
      if (key.length !== 1 || key === ' ') return undefined;
      const from = [...items.slice(at + 1), ...items.slice(0, at + 1)];
      return from.find((item) =>
        item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()),
      );
    }
  }
}
