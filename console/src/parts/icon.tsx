import { ICON_OUTLINES, type IconName } from './icon-outlines.ts';

export type { IconName };

/** Always beside words, so hidden from screen readers. */
export function Icon({ name }: Readonly<{ name: IconName }>) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={ICON_OUTLINES[name]} />
    </svg>
  );
}

export function Brand() {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.6"
      strokeLinecap="round"
    >
      <path d="M3 7c3.5-3 5.5-3 9 0s5.5 3 9 0" />
      <path d="M3 13c3.5-3 5.5-3 9 0s5.5 3 9 0" opacity=".75" />
      <path d="M3 19c3.5-3 5.5-3 9 0s5.5 3 9 0" opacity=".5" />
    </svg>
  );
}
