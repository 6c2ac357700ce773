/** For a flag that may be given more than once. */
export function collectFlag(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
