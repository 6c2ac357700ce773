export function collectFlag(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
