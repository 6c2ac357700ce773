import { type ClientConfig, canonicalJson, connectionSettings, Refused } from '@proofmark/domain';
import type { HttpAddress, McpTarget, StdioAddress } from '../../../outside/mcp/mcp-target.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { CallableServer, PinnedServer } from '../store/pinned-servers.ts';
import type { Headers } from '../store/servers.ts';
import { type GrantDependencies, type GrantTokens, grantTokens } from './grant-tokens.ts';

export interface TargetDependencies extends GrantDependencies {
  /**
   * Returns the start command of a stdio server from the operator's configuration file, or
   * undefined if the file no longer names the server.
   */
  stdioAddressOf(serverId: string): StdioAddress | undefined;
}

type ClientOfTarget = { readonly configId?: string | undefined; readonly config: ClientConfig };

export async function targetOf(
  dependencies: TargetDependencies,
  pinned: PinnedServer,
  client?: ClientOfTarget,
): Promise<McpTarget> {
  const tokens = await grantTokens(dependencies, pinned.server);
  const { vault } = dependencies.database;
  const parts = {
    stdioAddressOf: (serverId: string) => dependencies.stdioAddressOf(serverId),
    sign: (purpose: string, text: string) => vault.sign(purpose, text),
  };
  return targetWith(parts, pinned, client, tokens);
}

/**
 * Builds the target without a database: the caller supplies the signing function, and the tokens if
 * the server has a grant.
 */
export function targetWith(
  dependencies: Pick<TargetDependencies, 'stdioAddressOf'> & Pick<Vault, 'sign'>,
  { server, headers, stdio }: PinnedServer,
  client?: ClientOfTarget,
  tokens?: GrantTokens,
): McpTarget {
  const settings =
    client === undefined
      ? savedSettings(server, headers)
      : connectionSettings(client.config, { id: server.id, headers, timeoutMs: server.timeoutMs });
  const { headers: sent, ...conduct } = settings;
  const described = {
    organizationId: server.organizationId,
    serverId: server.id,
    address: addressOf(dependencies, server, sent, stdio),
    ...(server.maxMessageMiB !== null && { maxMessageBytes: server.maxMessageMiB * bytesOfMiB }),
    ...conduct,
  };
  const changing = {
    updatedAt: server.updatedAt.getTime(),
    importId: tokens?.importId,
    configId: client?.configId,
  };
  // Signed with a key: the identity depends on secrets, and a plain hash could be used to test
  // guesses of a weak secret.
  const identity = dependencies.sign('mcp session', canonicalJson({ ...described, ...changing }));
  return { ...described, identity, ...(tokens && { tokens }) };
}

const bytesOfMiB = 1024 * 1024;

function savedSettings(server: CallableServer, headers: Headers) {
  const { timeoutMs, clientCapabilities } = server;
  return {
    headers,
    ...(timeoutMs !== null && { timeoutMs }),
    ...(clientCapabilities !== null && {
      clientCapabilities: clientCapabilities as Readonly<Record<string, unknown>>,
    }),
  };
}

function addressOf(
  dependencies: Pick<TargetDependencies, 'stdioAddressOf'>,
  server: CallableServer,
  headers: Headers,
  stdio: PinnedServer['stdio'],
): HttpAddress | StdioAddress {
  if (server.url !== null) return { kind: 'http', url: server.url, headers };
  // Only the operator decides which programs run on this machine. A program that the operator's
  // file no longer names is therefore not started, even for a run that pinned it.
  const named = dependencies.stdioAddressOf(server.id) ?? notConfigured();
  return stdio === undefined ? named : { kind: 'stdio', ...stdio };
}

function notConfigured(): never {
  throw new Refused({
    code: 'SERVER_UNREACHABLE',
    message:
      'The configuration file of this service does not name this server; ask the operator to add it.',
    details: { reason: 'NOT_CONFIGURED' },
  });
}
