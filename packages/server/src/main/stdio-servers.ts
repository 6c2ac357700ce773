/**
 * A stdio server starts a program on the host, so only the operator can name it, in the
 * configuration file: an absolute command, its arguments and its complete environment.
 */
import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { BadSetting } from './setting.ts';

const StdioServer = z.strictObject({
  name: z.string().trim().min(1).max(200),
  command: z.string().refine(isAbsolute, 'The command must be an absolute path.'),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  /**
   * The id of the project that gets the server (default: the Default project of the oldest
   * organization).
   */
  projectId: z.string().optional(),
});

export type StdioServer = z.infer<typeof StdioServer>;

export function stdioServers(given: unknown, where: string): readonly StdioServer[] {
  const parsed = z.array(StdioServer).safeParse(given);
  if (parsed.success) {
    refuseTwins(parsed.data, where);
    return parsed.data;
  }
  const issue = parsed.error.issues[0];
  throw new BadSetting(
    `${where}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`,
  );
}

/**
 * Rejects equal names in one project, ignoring case. The same rule applies to all saved servers.
 */
function refuseTwins(servers: readonly StdioServer[], where: string): void {
  const seen = new Set<string>();
  for (const server of servers) {
    const key = `${server.projectId ?? ''} ${server.name.toLowerCase()}`;
    if (seen.has(key)) throw new BadSetting(`${where}: ${server.name} is named twice.`);
    seen.add(key);
  }
}
