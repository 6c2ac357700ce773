import type { BodyOf, OutputOf, ProjectServer } from '@proofmark/contract';
import type { Connection } from './connection.ts';
import { UsageProblem } from './exit-codes.ts';
import { findServer } from './find-server.ts';

type Import = BodyOf<'importOAuthTokens'>;
export type ImportedTokens = OutputOf<'importOAuthTokens'> & { readonly server: string };

export async function findOAuthServer(
  connection: Connection,
  wanted: string | undefined,
): Promise<ProjectServer & { readonly url: string }> {
  const { id: serverId } = await findServer(connection, wanted);
  const { client, projectId } = connection;
  const server = await client.getProjectServer({ projectId, serverId });
  if (server.url !== null) return { ...server, url: server.url };
  throw new UsageProblem('This server is a program of the operator and has no OAuth.');
}

export async function importTokens(
  { client, projectId }: Connection,
  server: { readonly id: string; readonly name: string; readonly url: string },
  given: Pick<Import, 'tokens' | 'clientInformation'>,
): Promise<ImportedTokens> {
  const body = { serverUrl: server.url, ...given };
  const imported = await client.importOAuthTokens({ projectId, serverId: server.id, body });
  return { ...imported, server: server.name };
}

export function importedLines({ server, expiresAt }: ImportedTokens): string[] {
  const until = expiresAt === null ? '' : ` They expire at ${new Date(expiresAt).toISOString()}.`;
  return [
    `The service stored the tokens for ${server}, sealed.${until}`,
    `Next: proofmark doctor ${server}`,
  ];
}
