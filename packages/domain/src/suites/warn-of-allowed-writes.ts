/**
 * Warns of names in `allowWrites` that no server of the suite lists. Such a name is probably
 * misspelled, so calls of the intended tool stay blocked. This is not an error, since a server may
 * list the tool later.
 */
import type { CaseWarning } from './case-warnings.ts';
import { type ListedServers, unlistedNames } from './listed-tools.ts';

export interface StatedAllowWrites {
  /** The path of the list in the request or the suite, such as `body.settings.allowWrites`. */
  readonly path: string;
  readonly allowWrites?: readonly string[] | undefined;
}

export function warnOfAllowedWrites(
  { path, allowWrites = [] }: StatedAllowWrites,
  servers: ListedServers,
): CaseWarning[] {
  const unlisted = unlistedNames(allowWrites, servers);
  return unlisted.slice(0, mostNamed).map((toolName) => ({
    path: `${path}[${allowWrites.indexOf(toolName)}]`,
    code: 'TOOL_NOT_LISTED',
    message: `allowWrites names ${JSON.stringify(toolName)}, and no server of the suite lists a tool of this name, so it allows nothing; correct the name or remove it.`,
  }));
}

const mostNamed = 20;
