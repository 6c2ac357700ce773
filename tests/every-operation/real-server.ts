import {
  type ModernServer,
  startModernServer,
} from '@proofmark/harness/mcp-servers/start-modern-server.ts';
import { call, type TestService } from '@proofmark/harness/test-service.ts';
import { canary, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { serverBody } from './example-parts.ts';

export async function stopExamples(): Promise<void> {
  await (await started)?.stop();
  started = undefined;
}

let started: Promise<ModernServer> | undefined;

export function mcpServer(): Promise<ModernServer> {
  started ??= startModernServer();
  return started;
}

/**
 * Saves a server that answers. Its header contains a secret, which must never appear in an answer.
 */
export async function realServer(service: TestService, tenant: Tenant): Promise<string> {
  const { url } = await mcpServer();
  const body = {
    ...serverBody(),
    url,
    headers: { 'X-Canary': canary },
  };
  const path = `api/v1/projects/${tenant.projectId}/servers`;
  const made = await call(`${service.baseUrl}/${path}`, { method: 'POST', key: tenant.key, body });
  return made.body.id;
}
