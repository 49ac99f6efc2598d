/** Enough clients at once to keep any side busy. */
export const MANY_CONNECTIONS = 256;
