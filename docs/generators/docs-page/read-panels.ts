type Panel = Readonly<{ title: string; language: string; code: string }>;

const PANEL =
  /<figure class="code"><figcaption>(?<title>[^<]*)<\/figcaption><pre[^>]*><code data-language="(?<language>\w+)">(?<code>[^]*?)<\/code>/g;

/** The code of a page as people copy it. For tests. */
export function readPanels(page: string): readonly Panel[] {
  return [...page.matchAll(PANEL)].map(({ groups = {} }) => ({
    title: plainText(groups.title ?? ''),
    language: groups.language ?? '',
    code: plainText(groups.code ?? ''),
  }));
}

/** Without elements, and with the characters that stand for themselves. */
export function plainText(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
