import { type ReactNode, useState } from 'react';
import { shell } from '../texts/en/shell.ts';
import { TextField } from './field.tsx';

/** For more payouts than this the count is typed, where no second factor is asked. */
const TYPED_FROM = 100;

/** The field for the count of payouts, and why the act cannot be done before it is filled in. */
export function useTypedCount(
  count: number | undefined,
): Readonly<{ field: ReactNode; inactive: string | undefined }> {
  const [typed, setTyped] = useState('');
  if (count === undefined || count <= TYPED_FROM) return { field: null, inactive: undefined };
  const words = shell.typeCount(count);
  return {
    field: <TextField label={words} inputMode="numeric" value={typed} onChange={setTyped} />,
    inactive: typed.trim() === String(count) ? undefined : words,
  };
}
