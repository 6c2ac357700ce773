import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { printNotice } from '../../output.ts';
import { doCommand } from '../../remote/do-command.ts';
import { UsageProblem } from '../../remote/exit-codes.ts';
import {
  findOAuthServer,
  type ImportedTokens,
  importedLines,
  importTokens,
} from '../../remote/import-tokens.ts';
import { openInBrowser } from '../../remote/open-browser.ts';
import { secretIn } from '../../remote/server-fields.ts';

interface Flags {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly port?: string;
  readonly browser: boolean;
}

const waitMs = 5 * 60_000;

export function oauthLoginCommand(): Command {
  const command = doCommand<ImportedTokens, Flags>({
    name: 'login',
    description: 'log in to a server in the browser of this machine, and store its tokens',
    arguments: [['server', 'id or name']],
    async act(connection, [wanted], flags) {
      const server = await findOAuthServer(connection, wanted);
      // A dynamic import, so that other commands do not load the OAuth library.
      const { obtainTokens } = await import('../../remote/obtain-tokens.ts');
      const clientId = flags.clientId ?? server.clientId;
      const secret = flags.clientSecret && secretIn(flags.clientSecret, process.env);
      const { tokens, client } = await obtainTokens({
        serverUrl: server.url,
        scopes: server.oauthScopes,
        client: clientId ? { clientId, ...(secret && { clientSecret: secret }) } : undefined,
        port: readPort(flags.port),
        show(address) {
          printNotice(`open this address in a browser to log in:\n${address}`);
          if (flags.browser) openInBrowser(address);
        },
        signal: AbortSignal.timeout(waitMs),
      });
      return importTokens(connection, server, { tokens, clientInformation: client });
    },
    sentences: importedLines,
  });
  return withExamples(
    command
      .option('--client-id <id>', 'the OAuth client registered at the issuer')
      .option('--client-secret <VARIABLE>', 'the environment variable that holds its secret')
      .option('--port <port>', 'the local port of the redirect address')
      .option('--no-browser', 'only print the address'),
    'proofmark oauth login Bookshop',
    'proofmark oauth login Bookshop --client-id my-client --port 8400',
  );
}

function readPort(text = '0'): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65536) return Number(text);
  throw new UsageProblem('--port takes a number up to 65535.');
}
