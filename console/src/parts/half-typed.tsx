import {
  createContext,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  useContext,
  useEffect,
  useId,
  useState,
} from 'react';
import { shell } from '../texts/en/shell.ts';

type Fields = ReadonlySet<string>;

const NONE: Fields = new Set();

const HalfTypedContext = createContext<
  Readonly<{ fields: Fields; setFields: Dispatch<SetStateAction<Fields>> }>
>({ fields: NONE, setFields: () => undefined });

/**
 * Knows which dates and times of a dialog or page are half typed, and which fields hold a text that is not stored. The
 * value of a half-typed date is empty, as if nothing were typed, and an act would take it as left out.
 */
export function HalfTypedFields({ children }: Readonly<{ children: ReactNode }>) {
  const [fields, setFields] = useState(NONE);
  return <HalfTypedContext value={{ fields, setFields }}>{children}</HalfTypedContext>;
}

/** Why the acts of the dialog or page are inactive; undefined: no field is half typed or unsaved. */
export function useHalfTyped(): string | undefined {
  return useContext(HalfTypedContext).fields.size > 0 ? shell.correctFirst : undefined;
}

/**
 * Watches one date or time. A browser tells no change while its parts are typed, so it is looked at after each key.
 * The problem is shown when the field is left.
 */
export function useWatchedDate() {
  const id = useId();
  const { fields, setFields } = useContext(HalfTypedContext);
  const [isLeft, setLeft] = useState(false);
  useEffect(() => () => setFields((now) => withField(now, id, false)), [id, setFields]);
  const look = ({ validity }: HTMLInputElement) => {
    // A year of five digits is no date that the service knows.
    const isHalfTyped = validity.badInput || validity.rangeOverflow;
    setFields((now) => withField(now, id, isHalfTyped));
    if (!isHalfTyped) setLeft(false);
  };
  return {
    problem: isLeft && fields.has(id) ? shell.halfTyped : undefined,
    look,
    leave: (input: HTMLInputElement) => {
      setLeft(true);
      look(input);
    },
  };
}

/** Holds acts of the page back while the field has a text that is not stored: they would go without it. */
export function useUnstored(isUnstored: boolean): void {
  const id = useId();
  const { setFields } = useContext(HalfTypedContext);
  useEffect(() => {
    setFields((now) => withField(now, id, isUnstored));
    return () => setFields((now) => withField(now, id, false));
  }, [id, isUnstored, setFields]);
}

function withField(fields: Fields, id: string, isIn: boolean): Fields {
  if (fields.has(id) === isIn) return fields;
  return new Set(isIn ? [...fields, id] : [...fields].filter((one) => one !== id));
}
