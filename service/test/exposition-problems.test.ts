import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findExpositionProblems } from './exposition-problems.ts';

const COUNTER = '# HELP a_total As.\n# TYPE a_total counter\na_total{kind="x"} 1\n';
const HISTOGRAM = [
  '# HELP b_seconds Bs.',
  '# TYPE b_seconds histogram',
  'b_seconds_bucket{le="0.1"} 1',
  'b_seconds_bucket{le="+Inf"} 2',
  'b_seconds_sum 3.5',
  'b_seconds_count 2',
  '',
].join('\n');

it('finds nothing in what is right', () => {
  assert.deepEqual(findExpositionProblems(COUNTER + HISTOGRAM), []);
});

for (const [what, text] of [
  ['a family that comes twice', COUNTER + HISTOGRAM + COUNTER],
  ['a sample that comes twice', `${COUNTER}a_total{kind="x"} 2\n`],
  ['a family without HELP', COUNTER.replace(/^.*\n/, '')],
  ['a counter without _total', COUNTER.replaceAll('a_total', 'a')],
  ['a gauge with _total', COUNTER.replace('counter', 'gauge')],
  ['milliseconds', COUNTER.replaceAll('a_total', 'a_milliseconds_total')],
  ['weeks', COUNTER.replaceAll('a_total', 'a_weeks_total')],
  ['gibibytes', COUNTER.replaceAll('a_total', 'a_gibibytes_total')],
  ['an abbreviated unit', HISTOGRAM.replaceAll('b_seconds', 'b_sec')],
  ['an abbreviated unit of a counter', COUNTER.replaceAll('a_total', 'a_ms_total')],
  ['a colon in a name', COUNTER.replaceAll('a_total', 'a:b_total')],
  ['a type in a name', COUNTER.replaceAll('a_total', 'a_Gauge_total')],
  ['a quantile of a counter', COUNTER.replace('kind', 'quantile')],
  ['an le of a counter', COUNTER.replace('kind', 'le')],
  ['an escape that does not exist', COUNTER.replace('As.', String.raw`A\s.`)],
  ['a bound that is no number', HISTOGRAM.replace('"0.1"', '"low"')],
  ['a label in camelCase', COUNTER.replace('kind=', 'theKind=')],
  ['a torn label', COUNTER.replace('"x"', '"x')],
  ['buckets that are not cumulative', HISTOGRAM.replace('"0.1"} 1', '"0.1"} 3')],
  ['no bucket for everything', HISTOGRAM.replace(/^.*\+Inf.*\n/m, '')],
  ['a count that is none', HISTOGRAM.replace('count 2', 'count 1')],
  ['no sum', HISTOGRAM.replace(/^.*_sum.*\n/m, '')],
  ['a line that does not end', COUNTER.trimEnd()],
] as const) {
  it(`finds ${what}`, () => assert.notDeepEqual(findExpositionProblems(text), []));
}
