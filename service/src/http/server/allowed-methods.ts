type Served = Readonly<{ method: string; path: string }>;

/**
 * Lists the methods that a path takes, for a request with another method. The router keeps one tree per method and
 * cannot say; this case is rare, so a linear search is fast enough.
 */
export function createMethodTable(served: readonly Served[]): (url: string) => readonly string[] {
  const patterns = served.map(({ method, path }) => ({ method, segments: path.split('/') }));
  return (url) => {
    const segments = pathOf(url).split('/').map(decode);
    const methods = patterns
      .filter((pattern) => matches(pattern.segments, segments))
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    return [...new Set(methods)].sort();
  };
}

/** Without the query. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  const fits =
    pattern.at(-1) === '*' ? segments.length >= pattern.length : segments.length === pattern.length;
  return (
    fits &&
    pattern.every((part, index) => {
      if (part === '*') return true;
      const segment = segments[index] ?? '';
      return part.startsWith(':') ? segment !== '' : part === segment;
    })
  );
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
