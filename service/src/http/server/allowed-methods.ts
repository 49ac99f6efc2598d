type Served = Readonly<{ method: string; path: string }>;

/**
 * Which methods a path takes, for paths that were asked for with another one. The router keeps a
 * tree per method and cannot say; this is off the usual way, so a plain search is fast enough.
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

function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => {
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
