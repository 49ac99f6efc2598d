/** Texts about parts of the service that do not answer. */
export const cells = {
  missing: (names: readonly string[]) =>
    `What these cells have is missing here, because they did not answer: ${names.join(', ')}.`,
};
