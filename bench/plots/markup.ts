/** Text that is already markup: all other text is escaped when it is inserted. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Child = Markup | string | number | readonly Child[];

/** A template whose values are escaped, unless they are markup themselves. */
export function html(parts: TemplateStringsArray, ...children: readonly Child[]): Markup {
  return new Markup(
    parts.reduce((text, part, index) => text + render(children[index - 1] ?? '') + part),
  );
}

function render(child: Child): string {
  if (child instanceof Markup) return child.text;
  if (typeof child === 'string' || typeof child === 'number') return escapeText(String(child));
  return child.map(render).join('');
}

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
