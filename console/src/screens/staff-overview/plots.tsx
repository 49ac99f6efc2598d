import type { StaffDay, StaffOverview } from '../../api/staff-types.ts';
import { formatAge } from '../../format/format-age.ts';
import { formatCount } from '../../format/format-amount.ts';
import { Plot } from '../../parts/plot.tsx';
import { staffOverview } from '../../texts/en/staff-overview.ts';

const texts = staffOverview.plots;
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const formatDay = (ms: number) => DAY.format(ms);

export function Plots({ overview }: Readonly<{ overview: StaffOverview }>) {
  const { days, doubts } = overview;
  const times = days.map(({ day }) => Date.parse(day));
  const sum = (pick: (day: StaffDay) => number) => days.reduce((all, day) => all + pick(day), 0);
  const today = days.at(-1)?.medianMs ?? null;
  return (
    <div className="grid g2">
      <Plot
        title={texts.timeToPaid}
        detail={texts.perDay}
        figure={today === null ? '–' : formatAge(today)}
        figureDetail={today === null ? texts.noneToday : texts.today}
        sentence={sayTimes(days)}
        data={{
          times,
          lines: [
            { label: texts.median, values: days.map(({ medianMs }) => medianMs) },
            { label: texts.p99, values: days.map(({ p99Ms }) => p99Ms), isSoft: true },
          ],
          formatValue: formatAge,
          formatTime: formatDay,
        }}
      />
      <Plot
        title={texts.doubts}
        detail={texts.perDay}
        figure={formatCount(doubts.count)}
        figureDetail={texts.openNow}
        sentence={texts.doubtSentence(
          sum(({ doubtsOpened }) => doubtsOpened),
          sum(({ doubtsEnded }) => doubtsEnded),
        )}
        data={{
          times,
          lines: [
            { label: texts.opened, values: days.map(({ doubtsOpened }) => doubtsOpened) },
            {
              label: texts.ended,
              values: days.map(({ doubtsEnded }) => doubtsEnded),
              isSoft: true,
            },
          ],
          // Doubts are whole: a line between two counts has no name.
          formatValue: (value) => (Number.isInteger(value) ? formatCount(value) : ''),
          formatTime: formatDay,
        }}
      />
    </div>
  );
}

function sayTimes(days: readonly StaffDay[]): string {
  const last = days.findLast(({ medianMs }) => medianMs !== null);
  if (last === undefined) return texts.timeNone;
  return texts.timeSentence(formatAge(last.medianMs ?? 0), formatAge(last.p99Ms ?? 0));
}
