/** A piece of HTML that is known to be safe to send as it is. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Html[];

/** Writes HTML; what is put into it is escaped, unless it is HTML already. */
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

/** Text between elements, where quotes need no escape: code is full of them. */
export function plain(text: string): Html {
  return new Html(text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`));
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
  /** Screen readers say it. */
  caption: string;
  columns: readonly string[];
  /** The first cell of a row names it. */
  rows: readonly (readonly Html[])[];
}>;

/**
 * A table that becomes a list of cards on a phone, where each cell shows the name of its column. The roles are
 * written out because some browsers drop those of table parts that are laid out otherwise.
 */
export function table({ caption, columns, rows }: Table): Html {
  const heads = columns.map((column) => html`<th role="columnheader">${column}</th>`);
  return html`<table role="table">
<caption class="unseen">${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads}</tr></thead>
<tbody role="rowgroup">
${rows.map((cells) => row(cells, columns))}</tbody>
</table>`;
}

function row([first = NOTHING, ...rest]: readonly Html[], columns: readonly string[]): Html {
  // A card with a single cell needs no name for it.
  const label = (index: number) =>
    rest.length === 1 ? NOTHING : html` data-column="${columns[index + 1] ?? ''}"`;
  const cells = rest.map((cell, index) => html`<td role="cell"${label(index)}>${cell}</td>`);
  return html`<tr role="row"><th role="rowheader">${first}</th>${cells}</tr>
`;
}

export type Section = Readonly<{
  id: string;
  title: string;
  content: Html;
  /** Stands beside the content on wide screens, and after it on narrow ones. */
  code?: Html;
  /** Stands below the content, and on narrow screens after the code. */
  more?: Html;
}>;

/** Text and tables on the left, code on the right. */
export function section({ id, title, content, code, more = NOTHING }: Section): Html {
  const beside = code === undefined ? NOTHING : html`<div class="shown">${code}</div>`;
  return html`<section id="${id}" aria-labelledby="${id}-title">
<div class="pair">
<div class="told">
<h2 id="${id}-title">${title}</h2>
${content}
</div>
${beside}
${more}
</div>
</section>
`;
}
