import { createMcpGateway } from '../../../server/src/outside/mcp/create-mcp-gateway.ts';
import type { McpFailure } from '../../../server/src/outside/mcp/mcp-failure.ts';
import type { McpGateway } from '../../../server/src/outside/mcp/mcp-gateway.ts';
import type { McpLimits } from '../../../server/src/outside/mcp/mcp-limits.ts';
import type { McpTarget } from '../../../server/src/outside/mcp/mcp-target.ts';

export function gatewayForTest(limits: Partial<McpLimits> = {}): McpGateway {
  return createMcpGateway({
    egress: { allowLoopback: true, allowedPrivateHosts: [] },
    client: { name: 'test', version: '1' },
    limits,
  });
}

export function httpTarget(url: string, more: Partial<McpTarget> = {}): McpTarget {
  return {
    organizationId: 'organization',
    serverId: 'server',
    identity: url,
    address: { kind: 'http', url, headers: {} },
    ...more,
  };
}

export function stdioTarget(
  program: { command: string; args: readonly string[]; env?: Record<string, string> },
  more: Partial<McpTarget> = {},
): McpTarget {
  return {
    organizationId: 'organization',
    serverId: 'server',
    identity: JSON.stringify(program),
    address: { kind: 'stdio', env: {}, ...program },
    ...more,
  };
}

export async function failureOf(used: Promise<unknown>): Promise<McpFailure> {
  const outcome = await used.then(
    () => new Error('The call succeeded, but a failure was expected.'),
    (error: unknown) => error,
  );
  if (outcome instanceof Error && outcome.name === 'McpFailure') return outcome as McpFailure;
  throw outcome;
}
