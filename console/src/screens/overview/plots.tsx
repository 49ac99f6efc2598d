import { useId, useMemo } from 'react';
import type { OverviewDay } from '../../api/transfer-types.ts';
import { formatAge } from '../../format/format-age.ts';
import { formatPercent } from '../../format/format-amount.ts';
import { Plot, type PlotData } from '../../parts/plot.tsx';
import { overview as texts } from '../../texts/en/overview.ts';

type Given = Readonly<{ days: readonly OverviewDay[] }>;

/** The axis of a rate begins here while every value is above it, so that a small dip is seen. */
const RATE_FLOORS = [0.94, 0.8, 0.5, 0];

const DAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });
const formatDayOf = (ms: number) => DAY.format(new Date(ms));

/** Keeps the same object for data with the same content, so that a canvas is not drawn again at every refresh. */
function usePlotData(
  days: readonly OverviewDay[],
  make: (days: readonly OverviewDay[]) => PlotData,
): PlotData {
  const text = JSON.stringify(days);
  return useMemo(() => make(JSON.parse(text) as OverviewDay[]), [text, make]);
}

function makePaid(days: readonly OverviewDay[]): PlotData {
  return {
    times: days.map(({ day }) => Date.parse(day)),
    lines: [
      { label: texts.paid.p95, values: days.map(({ p95Ms }) => p95Ms), isSoft: true },
      { label: texts.paid.median, values: days.map(({ medianMs }) => medianMs) },
    ],
    formatValue: formatAge,
    formatTime: formatDayOf,
  };
}

function makeRate(days: readonly OverviewDay[]): PlotData {
  const rates = days.map(rateOf);
  const lowest = Math.min(...rates.map((rate) => rate ?? 1));
  return {
    times: days.map(({ day }) => Date.parse(day)),
    lines: [{ label: texts.rate.label, values: rates }],
    range: [RATE_FLOORS.find((floor) => lowest >= floor) ?? 0, 1],
    formatValue: formatPercent,
    formatTime: formatDayOf,
  };
}

function rateOf({ paid, failed }: OverviewDay): number | null {
  return paid + failed === 0 ? null : paid / (paid + failed);
}

export function PaidPlot({ days }: Given) {
  const data = usePlotData(days, makePaid);
  const latest = days.findLast(({ medianMs }) => medianMs !== null);
  const today = days.at(-1)?.medianMs ?? null;
  if (latest === undefined) {
    return <NoPlot title={texts.paid.title} detail={texts.paid.detail} says={texts.paid.none} />;
  }
  return (
    <Plot
      title={texts.paid.title}
      detail={texts.paid.detail}
      figure={today === null ? '–' : formatAge(today)}
      figureDetail={texts.paid.today}
      sentence={texts.paid.sentence(
        days.length,
        formatAge(latest.medianMs ?? 0),
        formatAge(latest.p95Ms ?? 0),
      )}
      data={data}
    />
  );
}

export function RatePlot({ days }: Given) {
  const data = usePlotData(days, makeRate);
  const rates = days.map(rateOf);
  const known = rates.flatMap((rate, index) => (rate === null ? [] : [{ rate, index }]));
  const lowest = known.toSorted((a, b) => a.rate - b.rate)[0];
  const latest = known.at(-1);
  const today = rates.at(-1) ?? null;
  if (lowest === undefined || latest === undefined) {
    return <NoPlot title={texts.rate.title} detail={texts.rate.detail} says={texts.rate.none} />;
  }
  return (
    <Plot
      title={texts.rate.title}
      detail={texts.rate.detail}
      figure={today === null ? '–' : formatPercent(today)}
      figureDetail={texts.rate.today}
      sentence={texts.rate.sentence(
        formatPercent(lowest.rate),
        formatDayOf(data.times[lowest.index] ?? 0),
        formatPercent(latest.rate),
      )}
      data={data}
    />
  );
}

/** An axis without a line says less than a sentence. */
function NoPlot({
  title,
  detail,
  says,
}: Readonly<{ title: string; detail: string; says: string }>) {
  const titleId = useId();
  return (
    <figure className="card plot" aria-labelledby={titleId}>
      <figcaption>
        <h2 id={titleId}>{title}</h2>
        <span />
        <small>{detail}</small>
      </figcaption>
      <p className="soft">{says}</p>
    </figure>
  );
}
