const LINE_LENGTH_MAX = 100;
/** A list of single values that stands on lines of its own. */
const SHORT_LIST = /^(?<before>.*)\[\n\s+(?<items>[^[\]{}]*?)\n\s*\](?<after>,?)$/gm;

/** JSON as the formatter of the project leaves it: short lists on one line, all else one per line. */
export function renderJson(value: object): string {
  const spread = JSON.stringify(value, null, 2);
  const text = spread.replace(SHORT_LIST, (whole, before: string, items: string, after: string) => {
    const line = `${before}[${items.replace(/,\n\s+/g, ', ')}]${after}`;
    return line.length <= LINE_LENGTH_MAX ? line : whole;
  });
  return `${text}\n`;
}
