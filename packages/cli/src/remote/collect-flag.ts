/** Collects the values of a flag that may be repeated. */
export function collectFlag(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
