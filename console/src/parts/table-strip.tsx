import type { ReactNode } from 'react';
import { useKeys } from '../app/keyboard.tsx';
import { usePreferences } from '../app/preferences.ts';
import { type Sum } from '../format/format-amount.ts';
import { formatClock } from '../format/format-time.ts';
import { shell } from '../texts/en/shell.ts';
import { Sums } from './amount.tsx';
import { Button } from './button.tsx';

type Given = Readonly<{
  /** While nothing is selected: count and totals. */
  totals: ReactNode;
  selected: number;
  sums?: readonly Sum[];
  /** Acts on the selected rows, each with the count it applies to. */
  acts?: ReactNode;
  onClear?: () => void;
}>;

/** Above the head of a table, always there, so that selecting moves nothing. */
export function TableStrip({ totals, selected, sums = [], acts, onClear }: Given) {
  if (selected === 0) return <div className="selected-bar strip-idle">{totals}</div>;
  return (
    <div className="selected-bar">
      <b>{shell.table.selected(selected)}</b>
      <span>
        <Sums sums={sums} />
      </span>
      <span className="push actions">
        {acts}
        <Button kind="plain" size="sm" onClick={onClear}>
          {shell.table.clear}
        </Button>
      </span>
    </div>
  );
}

/** Lies over the edge of the table: its coming moves nothing, and it takes no room while nothing is newer. */
export function NewerRows({
  count,
  one,
  other,
  onShow,
}: Readonly<{ count: number; one: string; other: string; onShow: () => void }>) {
  useKeys(count === 0 ? [] : [{ keys: '.', label: shell.keys.newer, act: onShow }]);
  if (count === 0) return null;
  return (
    <div className="newer">
      <button type="button" onClick={onShow}>
        {shell.table.showNewer(count, one, other)}
      </button>
    </div>
  );
}

type PagingGiven = Readonly<{
  /** "1 to 14", and the sum. */
  summary: ReactNode;
  asOf: number;
  onNewer?: (() => void) | undefined;
  onOlder?: (() => void) | undefined;
}>;

/** Cursor paging. Totals carry the time at which they were asked. */
export function Paging({ summary, asOf, onNewer, onOlder }: PagingGiven) {
  const { timeZone } = usePreferences();
  const hasPages = onNewer !== undefined || onOlder !== undefined;
  return (
    <div className="card-foot">
      <span>
        {summary} · {shell.table.asOf(formatClock(new Date(asOf), timeZone))}
      </span>
      {hasPages && (
        <span className="push actions">
          <Button
            size="sm"
            inactive={onNewer === undefined ? shell.table.newest : false}
            onClick={onNewer}
          >
            {shell.table.newer}
          </Button>
          <Button
            size="sm"
            inactive={onOlder === undefined ? shell.table.oldest : false}
            onClick={onOlder}
          >
            {shell.table.older}
          </Button>
        </span>
      )}
    </div>
  );
}
