/** A piece of HTML that is known to be safe to send as it is. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Html[];

/** Writes HTML; whatever is put into it is escaped, unless it is HTML already. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const text = strings.map((string, index) => {
    const part = parts[index];
    return part === undefined ? string : string + render(part);
  });
  return new Html(text.join(''));
}

function render(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return escape(String(part));
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export const NOTHING = html``;

/** Text with `code` in backticks and blank lines between paragraphs: as much Markdown as we write. */
export function paragraphs(text: string): readonly Html[] {
  return text.split(/\n\n+/).map((paragraph) => html`<p>${inline(paragraph)}</p>`);
}

export function inline(text: string): Html {
  const parts = text.split('`').map((part, index) => {
    return index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`;
  });
  return html`${parts}`;
}

export type Table = Readonly<{
  /** For those who hear the page rather than see it. */
  caption: string;
  columns: readonly string[];
  /** The first cell of a row names it. */
  rows: readonly (readonly Html[])[];
}>;

export function table({ caption, columns, rows }: Table): Html {
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
<caption class="unseen">${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map(row)}</tbody>
</table></div>`;
}

function row(cells: readonly Html[]): Html {
  const [first = NOTHING, ...rest] = cells;
  return html`<tr><th scope="row">${first}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>
`;
}
