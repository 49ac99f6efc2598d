/**
 * What `promtool check metrics` would say of a text in the exposition format of Prometheus, and what a scraper would
 * refuse. Written from the rules of the format, so that no other program is needed to hold them.
 */
export function findExpositionProblems(text: string): readonly string[] {
  const problems: string[] = [];
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let last: Family | undefined;
  if (!text.endsWith('\n')) problems.push('the last line does not end');
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
    if (comment !== null) {
      const [, kind, name = '', rest = ''] = comment;
      const family = families.get(name) ?? { name, help: '', type: '', samples: [] };
      families.set(name, family);
      if (family.samples.length > 0) problems.push(`${name}: ${kind} after its samples`);
      if (kind === 'HELP' ? family.help !== '' : family.type !== '') {
        problems.push(`${name}: ${kind} twice`);
      }
      if (kind === 'HELP') family.help = rest;
      else family.type = rest;
      last = family;
      continue;
    }
    const sample = readSample(line);
    if (sample === undefined) {
      problems.push(`not a line of the format: ${line}`);
      continue;
    }
    const family = families.get(sample.name) ?? families.get(sample.name.replace(PARTS, ''));
    if (family === undefined) {
      problems.push(`${sample.name}: no TYPE`);
      continue;
    }
    if (family !== last) problems.push(`${family.name}: its samples are not in one place`);
    const id = `${sample.name} ${describeLabels(sample.labels)}`;
    if (seen.has(id)) problems.push(`${id}: twice`);
    seen.add(id);
    family.samples.push(sample);
  }
  return [...problems, ...[...families.values()].flatMap(problemsOf)];
}

type Sample = Readonly<{ name: string; labels: Readonly<Record<string, string>>; value: number }>;
type Family = { readonly name: string; help: string; type: string; readonly samples: Sample[] };

const PARTS = /_(?:bucket|sum|count)$/;
const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (Na[Nn]|[+-]?Inf|[+-]?[\d.]+(?:e[+-]?\d+)?)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\n"])*)"(?:,|$)/y;
/** Prometheus has one unit for each kind of thing, without prefixes. */
const OTHER_UNITS = [
  /_(?:minutes|hours|days|weeks|millis|percent|bits)(?:_|$)/,
  /_(?:inches|yards|miles|pounds|ounces|calories|kelvins|fahrenheit|rankine)(?:_|$)/,
  /_(?:pico|nano|micro|milli|centi|deci|deca|hecto|kilo|kibi|mega|mebi|mibi|giga|gibi|tera|tebi|peta|pebi)(?:seconds|bytes|bits|met(?:er|re)s|grams|joules|volts|amperes|moles)(?:_|$)/,
];
const ABBREVIATED_UNIT = /_(?:s|ms|us|ns|sec|b|kb|mb|gb|tb|pb|m|h|d)(?:_total)?$/;

function readSample(line: string): Sample | undefined {
  const [, name, inner = '', text = ''] = LINE.exec(line) ?? [];
  if (name === undefined) return undefined;
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < inner.length) {
    const [, label, value] = LABEL.exec(inner) ?? [];
    if (label === undefined || value === undefined || label in labels) return undefined;
    labels[label] = value;
  }
  return { name, labels, value: Number(text.replace('Inf', 'Infinity')) };
}

/** The same for the same labels in another order. */
function describeLabels(labels: Sample['labels']): string {
  const names = Object.keys(labels).toSorted((a, b) => a.localeCompare(b));
  return JSON.stringify(names.map((name) => [name, labels[name]]));
}

function problemsOf(family: Family): readonly string[] {
  const { name, help, type, samples } = family;
  const labels = samples.flatMap((sample) => Object.keys(sample.labels));
  const rules: readonly (readonly [boolean, string])[] = [
    [help.trim() === '', 'no HELP'],
    [!['counter', 'gauge', 'histogram', 'summary'].includes(type), `TYPE ${type}`],
    [type === 'counter' && !name.endsWith('_total'), 'a counter without _total'],
    [type !== 'counter' && name.endsWith('_total'), '_total, and no counter'],
    [PARTS.test(name), 'the end of its name belongs to histograms'],
    [OTHER_UNITS.some((unit) => unit.test(name)), 'not in seconds or bytes'],
    [ABBREVIATED_UNIT.test(name), 'an abbreviated unit'],
    [name.includes(':'), 'a colon, which names of recording rules have'],
    [[name, ...labels].some((word) => /[a-z][A-Z]/.test(word)), 'not in snake_case'],
    [/_(?:gauge|counter|histogram|summary)(?:_|$)/i.test(name), 'its type is in its name'],
    [/\\(?![\\n])/.test(help.replaceAll('\\\\', '')), 'HELP has an escape that does not exist'],
    [type !== 'histogram' && labels.includes('le'), 'le, and no histogram'],
    [type !== 'summary' && labels.includes('quantile'), 'quantile, and no summary'],
    [type === 'counter' && samples.some(({ value }) => !(value >= 0)), 'a counter below zero'],
  ];
  const broken = rules.flatMap(([isBroken, rule]) => (isBroken ? [`${name}: ${rule}`] : []));
  return type === 'histogram' ? [...broken, ...problemsOfHistogram(family)] : broken;
}

function problemsOfHistogram({ name, samples }: Family): readonly string[] {
  const series = new Map<
    string,
    { bounds: number[]; counts: number[]; sum?: number; count?: number }
  >();
  for (const { name: part, labels, value } of samples) {
    const { le, ...others } = labels;
    const id = describeLabels(others);
    const one = series.get(id) ?? { bounds: [], counts: [] };
    series.set(id, one);
    if (part === `${name}_bucket`) {
      one.bounds.push(Number((le ?? '').replace('Inf', 'Infinity')));
      one.counts.push(value);
    } else if (part === `${name}_sum`) one.sum = value;
    else if (part === `${name}_count`) one.count = value;
  }
  const grows = (
    numbers: readonly number[],
    isAllowed: (before: number, next: number) => boolean,
  ) => numbers.every((next, index) => index === 0 || isAllowed(numbers[index - 1] ?? 0, next));
  return [...series].flatMap(([id, { bounds, counts, sum, count }]) => {
    const rules: readonly (readonly [boolean, string])[] = [
      [bounds.at(-1) !== Number.POSITIVE_INFINITY, 'the last bucket is not +Inf'],
      [!grows(bounds, (before, next) => before < next), 'bounds out of order'],
      [!grows(counts, (before, next) => before <= next), 'buckets are not cumulative'],
      [counts.at(-1) !== count, 'count is not that of the last bucket'],
      [sum === undefined, 'no sum'],
    ];
    return rules.flatMap(([isBroken, rule]) => (isBroken ? [`${name} ${id}: ${rule}`] : []));
  });
}
