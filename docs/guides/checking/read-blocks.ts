/** A fenced block of a guide, with what the comment before it tells the test. */
export type Block = Readonly<{
  /** Where it stands, for messages. */
  line: number;
  language: string;
  text: string;
  /** Invisible when rendered: `<!-- terminal: receiver -->` gives `terminal` and `receiver`. */
  note: Readonly<{ name: string; value: string }> | undefined;
}>;

const FENCE = /^```(?<language>\S*)$/;
const NOTE = /^<!-- (?<name>[a-z ]+): (?<value>.+) -->$/;

/** Every fenced block, in order. A fence without an end is an error, as it hides all that follows. */
export function readBlocks(markdown: string): readonly Block[] {
  const lines = markdown.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const language = FENCE.exec(lines[at] ?? '')?.groups?.language;
    if (language === undefined) continue;
    const end = lines.indexOf('```', at + 1);
    if (end === -1) throw new Error(`the block at line ${at + 1} has no end`);
    const text = `${lines.slice(at + 1, end).join('\n')}\n`;
    blocks.push({ line: at + 1, language, text, note: readNote(lines, at) });
    at = end;
  }
  return blocks;
}

/** The comment stands right before the fence, or with one empty line between. */
function readNote(lines: readonly string[], fenceAt: number): Block['note'] {
  const before = lines[fenceAt - 1] === '' ? lines[fenceAt - 2] : lines[fenceAt - 1];
  const { name, value } = NOTE.exec(before ?? '')?.groups ?? {};
  return name === undefined || value === undefined ? undefined : { name, value };
}

/** The rows of the first table whose first column is called so, each cell trimmed. */
export function readTable(markdown: string, firstColumn: string): readonly (readonly string[])[] {
  const rows = markdown.split('\n').map(readRow);
  const head = rows.findIndex((cells) => cells?.[0] === firstColumn);
  if (head === -1) throw new Error(`there is no table that begins with ${firstColumn}`);
  // The line below the head is only dashes.
  const below = rows.slice(head + 2);
  const end = below.indexOf(undefined);
  return below.slice(0, end === -1 ? below.length : end).map((cells) => cells ?? []);
}

function readRow(line: string): readonly string[] | undefined {
  if (!line.startsWith('|')) return undefined;
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
