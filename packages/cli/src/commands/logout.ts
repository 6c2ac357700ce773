import { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { printJson, printSentence } from '../output.ts';
import { remotely, serviceAddress } from '../remote/connection.ts';
import { exitCodes, UsageProblem } from '../remote/exit-codes.ts';
import { readLogins, withoutLogin, writeLogins } from '../remote/logins.ts';

export function logoutCommand(): Command {
  return withExamples(
    new Command('logout')
      .description('remove the stored API key of a service; the key itself stays valid')
      .argument('[url]', 'address of the service (default: the last login)')
      .option('--json', 'print the result as JSON')
      .action((given: string | undefined, flags: { json?: true }) =>
        remotely(async () => {
          const logins = readLogins(process.env);
          const named = given ?? logins.last;
          if (named === undefined) {
            throw new UsageProblem('There is no login. Log in: proofmark login URL');
          }
          const url = serviceAddress(named);
          const forgotten = Object.hasOwn(logins.addresses, url);
          if (forgotten) writeLogins(process.env, withoutLogin(logins, url));
          if (flags.json) printJson({ url, forgotten });
          else if (!forgotten) printSentence(`No key is stored for ${url}.`);
          else
            printSentence(
              `Logged out of ${url}. The key is still valid; revoke it in the console.`,
            );
          return exitCodes.passed;
        }),
      ),
    'proofmark logout',
    'proofmark logout https://proofmark.example',
  );
}
