import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { PlotData } from './plot.tsx';

const HEIGHT_PX = 150;
const LABEL_WIDTH_PX = 60;
const AXIS_HEIGHT_PX = 24;
const AXIS_GAP_PX = 14;

/** Draws with uPlot. Colours come from the tokens of the theme; lines are labelled at their end, without a legend. */
export default function PlotCanvas({ data }: Readonly<{ data: PlotData }>) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const draw = () => {
      element.replaceChildren();
      return new uPlot(
        optionsOf(data, element),
        [data.times.map((ms) => ms / 1_000), ...data.lines.map(({ values }) => [...values])],
        element,
      );
    };
    let plot = draw();
    const resized = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    resized.observe(element);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => {
      plot.destroy();
      plot = draw();
    };
    dark.addEventListener('change', redraw);
    return () => {
      dark.removeEventListener('change', redraw);
      resized.disconnect();
      plot.destroy();
    };
  }, [data]);
  return <div ref={place} className="plot-canvas" />;
}

function optionsOf(data: PlotData, element: HTMLElement): uPlot.Options {
  const colour = colourReader(element);
  const font = `11px ${getComputedStyle(element).fontFamily}`;
  const axis = { stroke: colour('--ink-faint'), font, ticks: { show: false } };
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    padding: [12, LABEL_WIDTH_PX, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: true },
      y: {
        range: (_plot, _min, max) => [...(data.range ?? [0, max * 1.1 || 1])] as [number, number],
      },
    },
    axes: [
      {
        ...axis,
        size: AXIS_HEIGHT_PX,
        grid: { show: false },
        splits: () => ends(data.times).map((ms) => ms / 1_000),
        values: (_plot, splits) => splits.map((seconds) => data.formatTime(seconds * 1_000)),
      },
      {
        ...axis,
        // As wide as its longest label: "1 min 40 s" was cut off.
        size: (_plot, values) => widthOf(values ?? [], font) + AXIS_GAP_PX,
        grid: { stroke: colour('--plot-grid'), width: 1 },
        values: (_plot, splits) => splits.map(data.formatValue),
      },
    ],
    series: [
      {},
      ...data.lines.map(({ isSoft }) => ({
        stroke: colour(isSoft === true ? '--plot-soft' : '--plot-strong'),
        width: isSoft === true ? 1.5 : 2,
        ...(isSoft === true ? { dash: [5, 3] } : {}),
        points: { show: false },
      })),
    ],
    hooks: { draw: [(plot) => drawLabels(plot, data, { colour, font })] },
  };
}

/** Of the widest text in pixels. */
function widthOf(texts: readonly string[], font: string): number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return 0;
  context.font = font;
  return Math.ceil(Math.max(0, ...texts.map((text) => context.measureText(text).width)));
}

function ends(times: readonly number[]): readonly number[] {
  const first = times[0];
  const last = times.at(-1);
  return first === undefined || last === undefined || first === last ? [...times] : [first, last];
}

/** A canvas cannot use light-dark(): the browser is asked for the colour that holds. */
function colourReader(element: HTMLElement): (token: string) => string {
  const probe = document.createElement('span');
  element.append(probe);
  return (token) => {
    if (!probe.isConnected) element.append(probe);
    probe.style.color = `var(${token})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}

function drawLabels(
  plot: uPlot,
  data: PlotData,
  { colour, font }: Readonly<{ colour: (token: string) => string; font: string }>,
): void {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = font.replace(/^(\d+)px/, (_all, px: string) => `${Number(px) * ratio}px`);
  ctx.textBaseline = 'middle';
  // Axes leave their own alignment behind.
  ctx.textAlign = 'left';
  if (data.limit !== undefined) {
    const y = plot.valToPos(data.limit, 'y', true);
    ctx.strokeStyle = colour('--danger');
    ctx.setLineDash([4 * ratio, 3 * ratio]);
    ctx.beginPath();
    ctx.moveTo(plot.bbox.left, y);
    ctx.lineTo(plot.bbox.left + plot.bbox.width, y);
    ctx.stroke();
  }
  let lastY = Number.NEGATIVE_INFINITY;
  const labels = data.lines.flatMap(({ label, values, isSoft }) => {
    const index = values.findLastIndex((one) => one !== null);
    const value = values[index];
    const time = data.times[index];
    if (value === undefined || value === null || time === undefined) return [];
    const x = plot.valToPos(time / 1_000, 'x', true);
    return [{ label, isSoft, x, y: plot.valToPos(value, 'y', true) }];
  });
  // Names stay above the axis, whose days would be written over.
  const lowest = plot.bbox.top + plot.bbox.height;
  for (const [index, { label, isSoft, x, y }] of labels.sort((a, b) => a.y - b.y).entries()) {
    // A dot at the end: the only mark of a line with one value.
    ctx.fillStyle = colour(isSoft === true ? '--plot-soft' : '--plot-strong');
    ctx.beginPath();
    ctx.arc(x, y, 3 * ratio, 0, 2 * Math.PI);
    ctx.fill();
    const at = Math.max(
      Math.min(y, lowest - 13 * ratio * (labels.length - 1 - index)),
      lastY + 13 * ratio,
    );
    ctx.fillStyle = colour(isSoft === true ? '--ink-soft' : '--ink');
    ctx.fillText(label, plot.bbox.left + plot.bbox.width + 6 * ratio, at);
    lastY = at;
  }
  ctx.restore();
}
