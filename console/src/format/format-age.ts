const UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1_000 },
] as const;

/** A duration in at most two units: `5 h 17 min`, `44 s`, `3.9 s`, `180 ms`. */
export function formatAge(durationMs: number): string {
  const ms = Math.max(0, durationMs);
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000 && ms % 1_000 >= 50) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const first = UNITS.findIndex((unit) => ms >= unit.ms);
  const unit = UNITS[first];
  if (unit === undefined) return '0 s';
  const count = Math.floor(ms / unit.ms);
  const next = UNITS[first + 1];
  const rest = next === undefined ? 0 : Math.floor((ms - count * unit.ms) / next.ms);
  return rest === 0 || next === undefined
    ? `${count} ${unit.name}`
    : `${count} ${unit.name} ${rest} ${next.name}`;
}

/** How long an age stays as it is shown: it changes with its last digit, never more often. */
export function ageChangesAfterMs(durationMs: number): number {
  const ms = Math.max(0, durationMs);
  const step = ms < 3_600_000 ? 1_000 : ms < 86_400_000 ? 60_000 : 3_600_000;
  return step - (ms % step);
}
