import { call, type TestService } from './test-service.ts';
import type { Tenant } from './two-tenants.ts';

export interface Minted {
  readonly uploadUrl: string;
  readonly artifactId: string;
  readonly expiresAt: number;
}

export async function mintUpload(
  service: TestService,
  { projectId, key }: Tenant,
  body: object = {},
): Promise<Minted> {
  const url = `${service.baseUrl}/api/v1/projects/${projectId}/eval-ingest/artifacts/upload-url`;
  const answer = await call(url, { method: 'POST', key, body });
  if (answer.status !== 200) throw new Error(`No upload URL: ${answer.text}`);
  return answer.body;
}

export async function sendFile(
  url: string,
  file: string | Buffer,
  init: RequestInit = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(url, { method: 'POST', body: Buffer.from(file), ...init });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

export async function expireArtifact(service: TestService, artifactId: string): Promise<void> {
  await service.owner.sql`
    update artifacts set expires_at = now() - interval '1 second' where id = ${artifactId}`;
}
