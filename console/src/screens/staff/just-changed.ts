import { useEffect, useState } from 'react';

const SETTLES_AFTER_MS = 1_000;

/** True for a second after the value changed elsewhere, so that no click lands on something new. */
export function useJustChanged(value: string): boolean {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (settled === value) return undefined;
    const timer = setTimeout(() => setSettled(value), SETTLES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [settled, value]);
  return settled !== value;
}
