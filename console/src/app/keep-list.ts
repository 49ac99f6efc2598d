/** Which answer stays while another is fetched: that of the same list, for another page or filter of it. */
export function keepList(path: string) {
  return <T>(
    before: T | undefined,
    query: Readonly<{ queryKey: readonly unknown[] }> | undefined,
  ): T | undefined =>
    // Of another path it is another thing, and would stand under a wrong address.
    query?.queryKey[1] === path ? before : undefined;
}
