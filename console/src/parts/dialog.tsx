import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { shell } from '../texts/en/shell.ts';
import { LiveRegions } from './announce.tsx';
import { HalfTypedFields } from './half-typed.tsx';
import { Icon } from './icon.tsx';

type Given = Readonly<{
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** True: the dialog cannot be closed without an answer. */
  isFirm?: boolean;
  size?: 'narrow' | 'wide';
}>;

const BusyContext = createContext<(isBusy: boolean) => void>(() => undefined);

/**
 * Keeps the dialog round it open while an act is under way. Closing it would look like calling the act back, and what
 * is shown once, such as a new key, would never be shown. Outside a dialog it does nothing.
 */
export function useKeepOpen(isBusy: boolean): void {
  const keep = useContext(BusyContext);
  // Before the browser hands over another key press: one that came with the act would still close the dialog.
  useLayoutEffect(() => {
    if (!isBusy) return undefined;
    keep(true);
    return () => keep(false);
  }, [isBusy, keep]);
}

/**
 * The browser's own modal dialog: it traps focus, makes the page behind inert, closes on Esc and gives focus back to
 * where it was opened from. It is open as long as it is rendered.
 */
export function Dialog({ title, onClose, children, isFirm = false, size }: Given) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [isBusy, setBusy] = useState(false);
  const canLeave = !isFirm && !isBusy;
  const leave = () => {
    if (canLeave) onClose();
  };
  const leaveByMouse = useEffectEvent(leave);
  useEffect(() => {
    const dialog = ref.current;
    // For the browser a click on the backdrop is a click on the dialog.
    const onOutside = (event: MouseEvent) => {
      if (event.target === dialog) leaveByMouse();
    };
    dialog?.addEventListener('mousedown', onOutside);
    const before = document.activeElement;
    if (dialog !== null && !dialog.open) {
      dialog.showModal();
      // The first thing to fill in, else the title: the browser would choose the button that closes it.
      dialog.querySelector<HTMLElement>('.dialog-first, :is(input, select, textarea)')?.focus();
      if (!dialog.contains(document.activeElement) || document.activeElement?.matches('.copy')) {
        dialog.querySelector('h2')?.focus();
      }
    }
    return () => {
      dialog?.removeEventListener('mousedown', onOutside);
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      className={size === undefined ? 'dialog card' : `dialog card dialog-${size}`}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        // Handled at the key press: a page can refuse only the first `cancel`, and the browser closes at the next.
        event.preventDefault();
        leave();
      }}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
    >
      <LiveRegions />
      <div className="dialog-inner">
        <div className="card-head">
          <h2 id={titleId} tabIndex={-1}>
            {title}
          </h2>
          {!isFirm && (
            <button
              type="button"
              className="copy"
              aria-label={shell.close}
              aria-disabled={isBusy ? true : undefined}
              onClick={leave}
            >
              <Icon name="close" />
            </button>
          )}
        </div>
        <div className="card-pad pt-0">
          <BusyContext value={setBusy}>
            <HalfTypedFields>{children}</HalfTypedFields>
          </BusyContext>
        </div>
      </div>
    </dialog>
  );
}
