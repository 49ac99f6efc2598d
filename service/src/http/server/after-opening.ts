/**
 * Turns of the event loop for which work is put off while connections are being opened; some tens of milliseconds. Node
 * accepts one connection per turn, and work makes a turn longer: hundreds of connections that open at once would each wait
 * for some of it, and so would a health probe behind them.
 */
const POSTPONED_TURNS_MAX = 200;

/** Calls back in the next turn of the event loop, or once no connection is being opened any more. */
export function afterOpening(
  isOpening: () => boolean,
  work: () => void,
  turnsMax = POSTPONED_TURNS_MAX,
): void {
  setImmediate(() => {
    if (turnsMax > 0 && isOpening()) afterOpening(isOpening, work, turnsMax - 1);
    else work();
  });
}
