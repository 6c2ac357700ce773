/**
 * Resolves the environment for a visitor. A part that cannot be read or resolved, or a server that
 * is a program on the host, leads to a refusal.
 */
import type { ClientConfig } from '../clients/client-config.ts';
import { environmentConflictRefusal } from '../environments/environment-conflict-refusal.ts';
import {
  type EnvironmentParts,
  type ResolvedEnvironment,
  resolveEnvironment,
} from '../environments/resolve-environment.ts';
import type { Refusal } from '../kernel/refusal.ts';
import { maskUrl } from '../servers/masked-url.ts';
import { isOperatorManaged, type SavedServer } from '../servers/saved-server.ts';

export interface ScenarioParts extends EnvironmentParts {
  readonly servers: readonly Pick<SavedServer, 'id' | 'name' | 'transportType'>[];
  readonly isUnreadable?: true | undefined;
}

/** A refusal always has a `details.code`. */
export function resolveForVisitors(
  parts: ScenarioParts,
): { readonly resolved: ResolvedEnvironment } | { readonly refusal: Refusal } {
  if (parts.isUnreadable) return { refusal: unreadable };
  const outcome = resolveEnvironment(parts);
  if ('conflict' in outcome) return { refusal: environmentConflictRefusal(outcome) };
  const { effectiveServerIds } = outcome.resolved;
  const program = parts.servers.find(
    (server) => effectiveServerIds.includes(server.id) && isOperatorManaged(server),
  );
  return program === undefined ? outcome : { refusal: startsAProgram(program.name) };
}

const unreadable: Refusal = {
  code: 'CONFLICT',
  message:
    'The stored client or plugin of this environment cannot be read; delete it and create it again.',
  details: { code: 'ENV_UNREADABLE', reason: 'STORED_DOCUMENT_UNREADABLE' },
};

function startsAProgram(serverName: string): Refusal {
  return {
    code: 'CONFLICT',
    message: `The server ${serverName} is a program on the host, and visitors must not use those; remove it, or use a server over HTTP.`,
    details: { code: 'ENV_SERVER_NOT_HTTP', serverName },
  };
}

export function unsupportedOf({ computer, harness }: ClientConfig): ('computer' | Harness)[] {
  return [...(computer ? ['computer' as const] : []), ...(harness ? [harness] : [])];
}

type Harness = NonNullable<ClientConfig['harness']>;

export function actsWithCredentials(
  server: Pick<SavedServer, 'id' | 'url' | 'headerNames'> & { readonly hasGrant: boolean },
  config: ClientConfig,
): boolean {
  const ofClient = [
    config.connectionDefaults?.headers,
    config.serverConnectionOverrides?.[server.id]?.headersOverride,
  ];
  return (
    server.hasGrant ||
    server.headerNames.length > 0 ||
    (server.url !== null && maskUrl(server.url) !== server.url) ||
    ofClient.some((headers) => Object.keys(headers ?? {}).length > 0)
  );
}
