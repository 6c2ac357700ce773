/**
 * Environments that nobody named, for a run under some combination of client and model. There is one for each
 * combination: its key is the hash of all that it holds. Skills and images have no order; of plugins the first pin counts.
 */
import { canonicalJson } from '../kernel/canonical-json.ts';
import type { Environment } from './environment.ts';

export type EnvironmentContent = Pick<
  Environment,
  | 'hostId'
  | 'serverAttachmentId'
  | 'modelId'
  | 'skillSelection'
  | 'pluginVersionIds'
  | 'sandboxImageId'
>;

const longestName = 200;

export function adhocKeyOf(
  content: EnvironmentContent,
  sha256Hex: (text: string) => string,
): string {
  const { hostId, serverAttachmentId, modelId, pluginVersionIds, sandboxImageId } = content;
  const skillIds = content.skillSelection && [...content.skillSelection.skillIds].sort();
  return sha256Hex(
    canonicalJson({
      hostId,
      serverAttachmentId,
      modelId,
      skillIds,
      pluginVersionIds,
      sandboxImageId,
    }),
  );
}

/** What people see in its place, until it has a name. */
export function adhocName(clientName: string, modelId: string | null): string {
  const name = `Ad hoc: ${clientName}${modelId === null ? '' : `, ${modelId}`}`;
  return [...name].slice(0, longestName).join('');
}
