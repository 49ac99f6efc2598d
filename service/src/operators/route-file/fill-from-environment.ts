type Environment = Readonly<Record<string, string | undefined>>;

export type FilledEntries = Readonly<{
  value: unknown;
  /** The places whose text came from the environment, as `routes.0.settings.apiKey`. */
  fromEnvironment: ReadonlySet<string>;
  problems: readonly string[];
}>;

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Replaces every `${NAME}` in every string of a JSON value by the environment variable. */
export function fillFromEnvironment(json: unknown, env: Environment): FilledEntries {
  const fromEnvironment = new Set<string>();
  const problems: string[] = [];

  function fillText(text: string, place: string): string {
    return text.replace(REFERENCE, (_, name: string) => {
      fromEnvironment.add(place);
      const value = env[name];
      if (value !== undefined && value !== '') return value;
      problems.push(`${place}: the environment variable ${name} is not set.`);
      return '';
    });
  }

  function fill(value: unknown, place: string): unknown {
    if (typeof value === 'string') return fillText(value, place);
    if (Array.isArray(value)) return value.map((item, index) => fill(item, join(place, index)));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, item]) => [
      name,
      fill(item, join(place, name)),
    ]);
    return Object.fromEntries(entries);
  }

  return { value: fill(json, ''), fromEnvironment, problems };
}

function join(place: string, name: string | number): string {
  return place === '' ? String(name) : `${place}.${name}`;
}
