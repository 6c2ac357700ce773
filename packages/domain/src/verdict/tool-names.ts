/**
 * Returns the names of the tools in a list of calls, each once, in the order of first mention. A
 * call names its tool under `toolName`, else `tool`, else `name`; a call without a name is left
 * out.
 */
export function toolNames(calls: readonly unknown[]): string[] {
  const names = new Set<string>();
  for (const call of calls) {
    if (typeof call !== 'object' || call === null) continue;
    const { toolName, tool, name } = call as { toolName?: unknown; tool?: unknown; name?: unknown };
    const given = toolName ?? tool ?? name;
    if (typeof given === 'string' && given !== '') names.add(given);
  }
  return [...names];
}
