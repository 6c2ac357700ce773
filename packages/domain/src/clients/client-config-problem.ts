/**
 * Checks the rules that the schema of a client config cannot express.
 *
 * - A server is required or optional, not both.
 * - An override names a server that the client is attached to.
 * - Every header can be sent, and no header is a credential, since everyone in the project can read
 *   a config.
 */
import { headerProblem } from '../servers/server-url.ts';
import type { ClientConfig } from './client-config.ts';

export interface ClientConfigProblem {
  readonly path: string;
  readonly message: string;
}

export function clientConfigProblem(config: ClientConfig): ClientConfigProblem | undefined {
  const { serverIds = [], optionalServerIds = [], serverConnectionOverrides = {} } = config;
  const required = new Set(serverIds);
  if (optionalServerIds.some((id) => required.has(id))) {
    return {
      path: 'optionalServerIds',
      message: 'A server is listed in serverIds and in optionalServerIds; keep it in one of them.',
    };
  }
  const attached = new Set([...serverIds, ...optionalServerIds]);
  for (const [serverId, override] of Object.entries(serverConnectionOverrides)) {
    if (!attached.has(serverId)) {
      return {
        path: `serverConnectionOverrides.${serverId}`,
        message:
          'An override names a server that is not attached to the client; attach the server first.',
      };
    }
    const path = `serverConnectionOverrides.${serverId}.headersOverride`;
    const problem = headersProblem(path, override.headersOverride);
    if (problem !== undefined) return problem;
  }
  return headersProblem('connectionDefaults.headers', config.connectionDefaults?.headers);
}

const credentialName =
  /(^|[-_])(auth|authorization|authentication|cookie|token|secret|password|credentials?|(api|access|private)[-_]?key)$/i;
const credentialsElsewhere =
  'A client cannot hold credentials, because everybody in the project can read it; store this header with the saved server.';

function headersProblem(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): ClientConfigProblem | undefined {
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const message = headerProblem(name, value);
    if (message !== undefined) return { path, message };
    if (credentialName.test(name)) return { path, message: credentialsElsewhere };
    if (seen.has(name.toLowerCase())) {
      return {
        path,
        message: 'A header is listed twice; upper and lower case make no difference.',
      };
    }
    seen.add(name.toLowerCase());
  }
  return undefined;
}
