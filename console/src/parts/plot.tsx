import { lazy, type ReactNode, Suspense, useId } from 'react';
import { usePreferences } from '../app/preferences.ts';
import { shell } from '../texts/en/shell.ts';

type PlotLine = Readonly<{
  label: string;
  /** Null: no value at that time. */
  values: readonly (number | null)[];
  /** One strong line; the second is soft and dashed. */
  isSoft?: boolean;
}>;

export type PlotData = Readonly<{
  /** Times in milliseconds. */
  times: readonly number[];
  /** At most two. */
  lines: readonly PlotLine[];
  /** The axis begins at zero except for rates. */
  range?: readonly [number, number];
  formatValue: (value: number) => string;
  formatTime: (ms: number) => string;
  /** A limit drawn in. */
  limit?: number;
}>;

type Given = Readonly<{
  title: string;
  detail?: string;
  /** The one figure at the right. */
  figure?: ReactNode;
  figureDetail?: string;
  /** What the plot shows, as a sentence for people who do not see it. */
  sentence: string;
  data: PlotData;
}>;

const PlotCanvas = lazy(() => import('./plot-canvas.tsx'));

/** A plot with a sentence as its text and a table as its other form. */
export function Plot({ title, detail, figure, figureDetail, sentence, data }: Given) {
  const titleId = useId();
  const { theme } = usePreferences();
  const isEmpty = data.lines.every(({ values }) => values.every((value) => value === null));
  return (
    <figure className="card plot" aria-labelledby={titleId}>
      <figcaption>
        <h2 id={titleId}>{title}</h2>
        <span className="big">{figure}</span>
        <small>{detail}</small>
        <small>{figureDetail}</small>
      </figcaption>
      {isEmpty ? (
        <p className="soft">{sentence}</p>
      ) : (
        <div className="plot-area" role="img" aria-label={sentence}>
          <Suspense>
            {/* A canvas keeps its colours: another theme draws it anew. */}
            <PlotCanvas key={theme} data={data} />
          </Suspense>
        </div>
      )}
      <details>
        <summary>{shell.plot.asTable}</summary>
        <div className="table-wrap plot-table">
          <table className="data">
            <caption className="visually-hidden">{title}</caption>
            <thead>
              <tr>
                <td />
                {data.lines.map(({ label }) => (
                  <th key={label} scope="col" className="num">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.times.map((time, index) => (
                <tr key={time}>
                  <th scope="row">{data.formatTime(time)}</th>
                  {data.lines.map(({ label, values }) => {
                    const value = values[index];
                    return (
                      <td key={label} className="num">
                        {value === null || value === undefined ? '–' : data.formatValue(value)}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
