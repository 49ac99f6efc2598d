import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useState } from 'react';

/** A longer table keeps only the rows in sight in the page, so that 100,000 rows scroll without a hitch. */
const VIRTUAL_FROM = 150;

const ROW_HEIGHT_PX = 53;

export function Spacer({ height }: Readonly<{ height: number }>) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true" className="spacer">
      <td style={{ height }} />
    </tr>
  );
}

type VirtualRows = Readonly<{
  indexes: readonly number[];
  before: number;
  after: number;
  measure: ((element: Element | null) => void) | undefined;
}>;

type Given = Readonly<{
  body: React.RefObject<HTMLElement | null>;
  /** The row that the keyboard is at. */
  at: number;
  /** All rows are in the page, however many there are. */
  isWhole: boolean;
}>;

/** Which rows are in the page, and the heights of the gaps that stand for the others. */
export function useVirtualRows(count: number, { body, at, isWhole }: Given): VirtualRows {
  const isVirtual = count >= VIRTUAL_FROM && !isWhole;
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    // Reading a position makes the browser lay the page out at once. A short list does not need it.
    const top = isVirtual ? body.current?.getBoundingClientRect().top : undefined;
    if (top !== undefined) setMargin(top + window.scrollY);
  }, [body, isVirtual]);
  const virtualizer = useWindowVirtualizer({
    count: isVirtual ? count : 0,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: 12,
    scrollMargin: margin,
  });
  useEffect(() => {
    if (isVirtual && at >= 0) virtualizer.scrollToIndex(at, { align: 'auto' });
  }, [at, isVirtual, virtualizer]);
  if (!isVirtual) {
    return {
      indexes: Array.from({ length: count }, (_, i) => i),
      before: 0,
      after: 0,
      measure: undefined,
    };
  }
  const items = virtualizer.getVirtualItems();
  return {
    indexes: items.map(({ index }) => index),
    before: (items[0]?.start ?? margin) - margin,
    after: virtualizer.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin),
    measure: virtualizer.measureElement,
  };
}
