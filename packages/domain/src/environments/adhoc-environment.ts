/**
 * Environments without a name, created for runs that combine a client and a model. Each combination
 * has one environment, whose key is the hash of its whole content. For the hash, skills and images
 * have no order, and only the first pin of a plugin counts.
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

export function adhocName(clientName: string, modelId: string | null): string {
  const name = `Ad hoc: ${clientName}${modelId === null ? '' : `, ${modelId}`}`;
  return [...name].slice(0, longestName).join('');
}
