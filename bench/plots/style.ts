/** Colours by purpose, once for a light page and once for a dark one. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #ffffff; --ink: #1c2024; --soft: #5d666f; --hair: #e4e1da;
  --speed: #1f6f8b; --server: #1f6f8b; --postgres: #b9a44c; --p50: #1f6f8b; --p90: #7a8b99;
  --p99: #c0562b; --good: #2c7a4b; --bad: #b3372b; --seen: #0d3846;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --card: #1b1f23; --ink: #e8e6e1; --soft: #9aa4ad; --hair: #2c3238;
    --speed: #5fb6d3; --server: #5fb6d3; --postgres: #d8c46f; --p50: #5fb6d3; --p90: #8896a3;
    --p99: #f0905f; --good: #6fcf97; --bad: #f08a7d; --seen: #d9f0f8;
  }
}
* { box-sizing: border-box; }
html { background: var(--paper); }
body {
  margin: 0 auto; padding: clamp(20px, 4vw, 56px); max-width: 1080px; color: var(--ink);
  font: 16px/1.55 ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif;
  font-variant-numeric: tabular-nums;
}
h1 { font-size: clamp(28px, 5vw, 44px); line-height: 1.1; letter-spacing: -0.02em; margin: 0 0 8px; }
h2 { font-size: 20px; letter-spacing: -0.01em; margin: 56px 0 4px; }
h3 { font-size: 15px; margin: 0; }
p { margin: 0 0 12px; max-width: 68ch; }
.soft, article p { color: var(--soft); }
article p { font-size: 13px; margin: 0 0 4px; }
svg { display: block; width: 100%; height: auto; overflow: visible; }
svg text { font: 12px ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif; fill: var(--ink); }
svg .tick { fill: var(--soft); font-size: 11px; }
svg .fine { font-size: 15px; }
svg .value { fill: var(--soft); }
.grid { stroke: var(--hair); stroke-width: 1; }
.break { stroke: var(--hair); stroke-width: 1; stroke-dasharray: 2 3; }
.speed { fill: var(--speed); } .server { fill: var(--server); } .postgres { fill: var(--postgres); }
.seen { fill: var(--seen); opacity: 0.75; }
.whisker, .end { stroke: var(--hair); stroke-width: 2; }
.box { stroke: var(--p90); stroke-width: 4; opacity: 0.45; }
circle.p50 { fill: var(--p50); } circle.p90 { fill: var(--p90); } circle.p99 { fill: var(--p99); }
.line { fill: none; stroke-width: 1.6; stroke-linejoin: round; }
.line.speed { stroke: var(--speed); fill: none; } .line.p50 { stroke: var(--p50); }
.line.p99 { stroke: var(--p99); }
.card { background: var(--card); border: 1px solid var(--hair); border-radius: 14px;
  padding: 20px 22px; margin-top: 14px; overflow-x: auto; }
.card > svg { min-width: 640px; }
.verdicts { list-style: none; padding: 0; margin: 16px 0 0; }
.verdicts li { padding-left: 26px; position: relative; margin: 4px 0; }
.verdicts li::before { position: absolute; left: 2px; font-weight: 700; }
.verdicts .good::before { content: "✓"; color: var(--good); }
.verdicts .bad::before { content: "✕"; color: var(--bad); }
.verdicts .mind::before { content: "!"; color: var(--p99); }
.scores { list-style: none; padding: 0; margin: 14px 0 0; display: grid; gap: 14px;
  grid-template-columns: repeat(auto-fill, minmax(230px, 1fr)); }
.scores li { background: var(--card); border: 1px solid var(--hair); border-radius: 14px;
  padding: 16px 18px 14px; }
.scores .key { font: 12px ui-monospace, SFMono-Regular, Menlo, monospace; color: var(--soft); }
.scores .figure { font-size: 34px; line-height: 1.15; letter-spacing: -0.02em; }
.scores .what, .scores .verdict { font-size: 13px; color: var(--soft); }
.scores .what { min-height: 2.9em; }
.good .verdict b { color: var(--good); } .bad .verdict b { color: var(--bad); }
.track .rail { fill: var(--hair); } .track .fill, .track .mark { fill: var(--good); }
.bad .track .fill, .bad .track .mark { fill: var(--bad); }
.track .bar { stroke: var(--ink); stroke-width: 2; }
.track .goal { stroke: var(--soft); stroke-width: 2; stroke-dasharray: 2 2; }
.key-line { display: flex; flex-wrap: wrap; gap: 6px 18px; font-size: 13px; color: var(--soft); }
.key-line i { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 6px; }
.courses { display: grid; gap: 14px; margin-top: 14px;
  grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); }
.courses article { background: var(--card); border: 1px solid var(--hair); border-radius: 14px;
  padding: 14px 16px 8px; }
.courses.wide { grid-template-columns: repeat(auto-fit, minmax(340px, 1fr)); }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { text-align: right; padding: 6px 10px; border-bottom: 1px solid var(--hair);
  white-space: nowrap; }
th { color: var(--soft); font-weight: 500; }
th:first-child, td:first-child, th:last-child, td:last-child { text-align: left; }
footer { margin-top: 56px; color: var(--soft); font-size: 13px; }
@media print { .card, .scores li, .courses article { break-inside: avoid; } }
`;
