import type { BodyOf } from '@proofmark/contract';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { doCommand } from '../../remote/do-command.ts';
import {
  findOAuthServer,
  type ImportedTokens,
  importedLines,
  importTokens,
} from '../../remote/import-tokens.ts';
import { readGivenFields } from '../../remote/read-given-file.ts';

type Tokens = BodyOf<'importOAuthTokens'>['tokens'];

export function oauthImportCommand(): Command {
  const command = doCommand<ImportedTokens, { clientId?: string }>({
    name: 'import',
    description: 'store OAuth tokens for a server; the service renews them',
    arguments: [
      ['server', 'id or name'],
      ['file', 'the answer of the token endpoint as JSON; - reads standard input'],
    ],
    async act(connection, [wanted, file], { clientId }) {
      const tokens = await readGivenFields(file);
      const server = await findOAuthServer(connection, wanted);
      return importTokens(connection, server, {
        tokens: tokens as unknown as Tokens,
        ...(clientId !== undefined && { clientInformation: { clientId } }),
      });
    },
    sentences: importedLines,
  });
  return withExamples(
    command.option('--client-id <id>', 'the OAuth client of the tokens'),
    'proofmark oauth import Bookshop tokens.json',
  );
}
