import { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { printJson, printSentence } from '../output.ts';
import { remotely, serviceAddress } from '../remote/connection.ts';
import { exitCodes, UsageProblem } from '../remote/exit-codes.ts';
import { readLogins, withoutLogin, writeLogins } from '../remote/logins.ts';

export function logoutCommand(): Command {
  return withExamples(
    new Command('logout')
      .description('forget the API key of a service; the key itself stays valid')
      .argument('[url]', 'where the service is (else that of the last login)')
      .option('--json', 'print what was forgotten as JSON')
      .action((given: string | undefined, flags: { json?: true }) =>
        remotely(async () => {
          const logins = readLogins(process.env);
          const named = given ?? logins.last;
          if (named === undefined) {
            throw new UsageProblem('Nobody is logged in. Log in: proofmark login URL');
          }
          const url = serviceAddress(named);
          const forgotten = Object.hasOwn(logins.addresses, url);
          if (forgotten) writeLogins(process.env, withoutLogin(logins, url));
          if (flags.json) printJson({ url, forgotten });
          else if (!forgotten) printSentence(`No key was kept for ${url}.`);
          else printSentence(`Logged out of ${url}. Its console revokes the key itself.`);
          return exitCodes.passed;
        }),
      ),
    'proofmark logout',
    'proofmark logout https://proofmark.example',
  );
}
