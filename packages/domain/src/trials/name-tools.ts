/**
 * Returns the names under which a model sees the tools of several servers: letters, digits, `_` and
 * `-`, at most 64 characters, each name once. A tool keeps its own name if that is allowed and
 * unique. Otherwise the name of its server is put in front, and if that name is taken too, a number
 * is appended.
 */
export function nameTools(
  tools: readonly { readonly serverName: string; readonly toolName: string }[],
  reserved: readonly string[] = [],
): string[] {
  const uses = new Map<string, number>();
  for (const name of reserved) uses.set(name, 1);
  for (const { toolName } of tools) uses.set(toolName, (uses.get(toolName) ?? 0) + 1);
  const keeps = ({ toolName }: { readonly toolName: string }) =>
    allowed.test(toolName) && uses.get(toolName) === 1;
  const taken = new Set(reserved);
  for (const tool of tools) if (keeps(tool)) taken.add(tool.toolName);
  return tools.map((tool) => (keeps(tool) ? tool.toolName : freeName(tool, taken)));
}

function freeName(
  { serverName, toolName }: { readonly serverName: string; readonly toolName: string },
  taken: Set<string>,
): string {
  const whole = `${clean(serverName).slice(0, maxServerLength)}_${clean(toolName)}`;
  let name = whole.slice(0, maxLength);
  for (let number = 2; taken.has(name); number += 1) {
    const suffix = `_${number}`;
    name = whole.slice(0, maxLength - suffix.length) + suffix;
  }
  taken.add(name);
  return name;
}

function clean(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

const allowed = /^[A-Za-z0-9_-]{1,64}$/;
const maxLength = 64;
const maxServerLength = 24;
