import { roundRatio } from '../results/format.ts';
import type { Ratio } from '../results/ratios.ts';
import { html, type Markup } from './markup.ts';

const WIDTH = 240;
const HEIGHT = 20;
/** The position of the bar on the track: there is as much room beyond it. */
const BAR_AT = 0.5;

/** Each ratio against its bar and its goal. */
export function scoreboard(ratios: readonly Ratio[]): Markup {
  return html`<ul class="scores">${ratios.map(score)}</ul>`;
}

function score({ key, what, value, bar, goal, reached, goalReached }: Ratio): Markup {
  const verdict = goalReached ? 'what we are after' : reached ? 'reached' : 'missed';
  return html`<li class="${reached ? 'good' : 'bad'}">
    <div class="key">${key}</div>
    <div class="figure">${roundRatio(value)}</div>
    <div class="what">${what}</div>
    ${track({ value, bar: numberIn(bar), goal: numberIn(goal) })}
    <div class="verdict"><b>${reached ? '✓' : '✕'} ${verdict}</b></div>
    <div class="verdict">${unbroken(`bar ${bar}`)}, ${unbroken(`after ${goal}`)}</div>
  </li>`;
}

/** Bar and goal are placed relative to each other; far beyond them the track ends. */
function track({
  value,
  bar,
  goal,
}: Readonly<{ value: number; bar: number; goal: number }>): Markup {
  const at = (one: number) => {
    const share = bar === 0 ? 0 : (one / bar) * BAR_AT;
    return 2 + (WIDTH - 4) * Math.min(1, Math.max(0, share));
  };
  return html`<svg class="track" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
    <rect class="rail" x="2" y="8" width="${WIDTH - 4}" height="4" rx="2"/>
    <rect class="fill" x="2" y="8" width="${at(value) - 2}" height="4" rx="2"/>
    <line class="bar" x1="${at(bar)}" x2="${at(bar)}" y1="3" y2="17"/>
    <line class="goal" x1="${at(goal)}" x2="${at(goal)}" y1="3" y2="17"/>
    <circle class="mark" cx="${at(value)}" cy="10" r="5"/>
  </svg>`;
}

function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

function numberIn(text: string): number {
  return Number(text.replaceAll(/[^\d.]/g, ''));
}
