/**
 * Rejects ids of missing objects. An object of another project gets the same message, so that a
 * caller cannot find out which ids exist.
 */
import { invalid } from '@proofmark/domain';
import { refuse } from './action.ts';

const reasons = {
  client: 'CLIENT_NOT_FOUND',
  environment: 'ENVIRONMENT_NOT_FOUND',
  'plugin version': 'PLUGIN_VERSION_NOT_FOUND',
  server: 'SERVER_NOT_FOUND',
  'server group': 'SERVER_ATTACHMENT_NOT_FOUND',
  skill: 'SKILL_NOT_FOUND',
} as const;

export function refuseMissing(what: keyof typeof reasons, path: string): never {
  const message = `This project does not contain this ${what}; create it first or name another.`;
  refuse(invalid(path, message, { reason: reasons[what] }));
}

export function refuseFirstMissing(
  what: keyof typeof reasons,
  path: string,
  ids: readonly string[],
  found: ReadonlySet<string>,
): void {
  const at = ids.findIndex((id) => !found.has(id));
  if (at >= 0) refuseMissing(what, `${path}[${at}]`);
}
