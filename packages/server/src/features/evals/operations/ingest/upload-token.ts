/**
 * Signs and verifies the token of an upload URL. The token contains the ids of the upload's target
 * and a signature. So it cannot be used for another target, and a forged token is rejected without
 * any lookup. Anyone with the token may upload.
 */

import type { Database } from '../../../../platform/database/database.ts';
import type { ArtifactIds } from '../../store/reported/artifacts.ts';

type Vault = Database['vault'];

export const uploadPath = '/uploads';

export function uploadUrl(baseUrl: string, vault: Vault, ids: ArtifactIds): string {
  const text = [ids.organizationId, ids.projectId, ids.artifactId].join('.');
  return new URL(`${uploadPath}/${text}.${vault.sign(purpose, text)}`, baseUrl).href;
}

export function readUploadToken(vault: Vault, token: string): ArtifactIds | undefined {
  const [organizationId, projectId, artifactId, signature, ...rest] = token.split('.', 5);
  if (!organizationId || !projectId || !artifactId || !signature || rest.length > 0) {
    return undefined;
  }
  const text = [organizationId, projectId, artifactId].join('.');
  return vault.verify(purpose, text, signature)
    ? { organizationId, projectId, artifactId }
    : undefined;
}

const purpose = 'upload';
