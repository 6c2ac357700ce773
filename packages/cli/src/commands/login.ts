import { createApiClient } from '@proofmark/client';
import { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { printJson, printLine, printSentence } from '../output.ts';
import { askKey } from '../remote/ask-key.ts';
import { defaultUrl, remotely, serviceAddress } from '../remote/connection.ts';
import { exitCodes } from '../remote/exit-codes.ts';
import { sentenceWrapper } from '../remote/indented-lines.ts';
import { readLogins, withLogin, writeLogins } from '../remote/logins.ts';
import { terminalAbility } from '../remote/terminal.ts';

export function loginCommand(): Command {
  return withExamples(
    new Command('login')
      .description('store the API key of a service for commands on this machine')
      .argument('[url]', 'address of the service (default: PROOFMARK_URL, or the last login)')
      .option('--json', 'print the login as JSON')
      .action((given: string | undefined, flags: { json?: true }) =>
        remotely(async () => {
          const named = given ?? (process.env['PROOFMARK_URL'] || readLogins(process.env).last);
          const url = serviceAddress(named ?? defaultUrl);
          const apiKey = process.env['PROOFMARK_API_KEY']?.trim() || (await askKey(url));
          // Fails for an unknown key, so an unknown key is never stored.
          const { id, email, name } = await createApiClient({ baseUrl: url, apiKey }).getMe({});
          const logins = withLogin(readLogins(process.env), url, { key: apiKey });
          const file = writeLogins(process.env, logins);
          if (flags.json) printJson({ url, file, account: { id, email, name } });
          else {
            const who = `Logged in to ${url} as ${name} <${email}>.`;
            for (const line of sentenceWrapper(terminalAbility())(who)) printLine(line);
            printSentence(`The key is stored in ${file}, which only you may read.`);
          }
          return exitCodes.passed;
        }),
      ),
    'proofmark login https://proofmark.example',
    'proofmark login https://proofmark.example < key.txt',
  );
}
