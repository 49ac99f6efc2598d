import { Html } from './html.ts';

/** Calm water by day and by night. Every colour of text keeps a contrast of 4.5 to 1 or better. */
export const STYLE = new Html(`
:root {
  color-scheme: light dark;
  --paper: #fcfbf8; --raised: #f4f2ec; --line: #dedad0; --ink: #1c2530; --soft: #545e6b;
  --river: #0a655f; --code: #1f2b38; --code-paper: #efece4;
  --get: #1c5fa8; --post: #1f6b38; --patch: #8a5200; --delete: #a8322a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12171d; --raised: #1a2129; --line: #2e3843; --ink: #e2e7ec; --soft: #a2adb9;
    --river: #6ccabd; --code: #dbe3ea; --code-paper: #1e2630;
    --get: #85b8f2; --post: #7fcf97; --patch: #e6b366; --delete: #f09a92;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; display: grid; grid-template-columns: 17.5rem minmax(0, 1fr);
  background: var(--paper); color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
a { color: var(--river); text-underline-offset: .18em; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: .18rem solid var(--river); outline-offset: .15rem; border-radius: .2rem; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--raised); z-index: 2; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }

.side { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2rem 1.5rem 3rem; background: var(--raised); border-right: 1px solid var(--line); }
.name { margin: 0; font-size: 1.35rem; font-weight: 650; letter-spacing: .01em; }
.name a { color: inherit; text-decoration: none; }
.version { margin: .1rem 0 0; color: var(--soft); font-size: .85rem; }
nav { font-size: .9rem; line-height: 1.4; }
.group { margin: 1.4rem 0 .35rem; color: var(--soft); font-size: .75rem; font-weight: 600; letter-spacing: .08em; text-transform: uppercase; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: .55rem; align-items: baseline; padding: .22rem 0; color: var(--ink); text-decoration: none; }
nav li a:hover { color: var(--river); text-decoration: underline; }
nav .method { min-width: 2.9em; font-size: .68rem; }

main { max-width: 78rem; padding: 3rem clamp(1.25rem, 4vw, 4rem) 6rem; outline: none; }
h1 { margin: 0 0 2rem; max-width: 22ch; font-size: clamp(1.9rem, 4vw, 2.7rem); line-height: 1.15; font-weight: 680; letter-spacing: -.015em; }
h2 { margin: 0 0 .75rem; font-size: 1.55rem; line-height: 1.25; font-weight: 650; }
h3 { margin: 0 0 .4rem; font-size: 1.2rem; line-height: 1.3; font-weight: 640; }
h4 { margin: 1.6rem 0 .5rem; font-size: .95rem; font-weight: 640; }
section { padding-top: 2.5rem; }
section > p, .told > p { max-width: 68ch; }
section > h3 { margin-top: 2rem; }
.lead { color: var(--soft); font-size: 1.05rem; }
.operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 25rem); gap: 1rem 2.5rem; padding: 2.25rem 0; border-top: 1px solid var(--line); }
.shown { align-self: start; position: sticky; top: 1.5rem; }
.anchor { color: var(--soft); text-decoration: none; font-weight: 400; opacity: 0; }
h3:hover .anchor, .anchor:focus { opacity: 1; }
.address { margin: 0 0 .8rem; }
.method { display: inline-block; font: 650 .78rem/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; letter-spacing: .03em; }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); } .delete { color: var(--delete); }
code { font: .88em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; color: var(--code); overflow-wrap: anywhere; }
p code, td code, li code { padding: .08em .3em; border-radius: .25em; background: var(--code-paper); }
figure { margin: 0 0 1rem; }
figcaption { margin-bottom: .3rem; color: var(--soft); font-size: .8rem; font-weight: 600; }
pre { margin: 0; padding: .9rem 1.1rem; max-height: 32rem; overflow: auto; background: var(--code-paper); border-radius: .5rem; }
pre code { font-size: .8rem; overflow-wrap: normal; }

.scroll { overflow-x: auto; margin: 0 0 1rem; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; line-height: 1.5; }
th, td { padding: .5rem .9rem .5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { color: var(--soft); font-size: .78rem; font-weight: 600; }
tbody th { font-weight: 400; min-width: 9rem; }
td:last-child { min-width: 15rem; padding-right: 0; }
.optional { color: var(--soft); font-size: .78rem; white-space: nowrap; }
.statuses { display: flex; flex-wrap: wrap; gap: .3rem 1rem; margin: 0; padding: 0; list-style: none; font-size: .9rem; }
:target > .told > h3, tr:has(:target) th { color: var(--river); }

@media (max-width: 80rem) { .operation { grid-template-columns: minmax(0, 1fr); } .shown { position: static; } }
@media (max-width: 62rem) {
  body { display: block; }
  .side { position: static; height: auto; padding: 1.25rem; border-right: 0; border-bottom: 1px solid var(--line); }
  nav { columns: 15rem; column-gap: 2rem; }
  nav ul { break-inside: avoid; }
  .group { break-after: avoid; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print {
  :root { --paper: #fff; --raised: #fff; --ink: #000; --soft: #333; --river: #000; --code: #000; --code-paper: #f3f3f3; --line: #bbb; }
  body { display: block; font-size: 10pt; }
  .side { position: static; height: auto; padding: 0; border: 0; }
  nav, .skip, .anchor { display: none; }
  main { padding: 0; max-width: none; }
  .operation { display: block; }
  .shown { position: static; margin-top: 1rem; }
  pre { max-height: none; white-space: pre-wrap; }
  h2, h3, h4, thead { break-after: avoid; }
  tr, figure { break-inside: avoid; }
}
`);
