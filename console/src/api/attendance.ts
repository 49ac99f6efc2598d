/** Calls made this long after the last key, click or movement are the page's own, such as a refresh. */
const ATTENDED_MS = 60_000;
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;

/** Opening the page counts as an act of the person. */
let lastInputMs = performance.now();

/** Notes when a person last used the page. */
export function watchAttendance(page: EventTarget): void {
  const note = (): void => {
    lastInputMs = performance.now();
  };
  for (const input of INPUTS) page.addEventListener(input, note, { passive: true, capture: true });
}

/** Whether a call now is made without a person: it must not keep the session from becoming idle. */
export function isUnattended(): boolean {
  return performance.now() - lastInputMs > ATTENDED_MS;
}
