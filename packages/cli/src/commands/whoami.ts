import { readAllPages } from '@proofmark/client';
import type { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { printJson, printLine } from '../output.ts';
import {
  type ConnectionFlags,
  type Credentials,
  reachService,
  remoteCommand,
  remotely,
} from '../remote/connection.ts';
import { exitCodes } from '../remote/exit-codes.ts';
import { loginsFile } from '../remote/logins.ts';
import { factLines } from '../remote/show-command.ts';
import { terminalAbility } from '../remote/terminal.ts';

export function whoamiCommand(): Command {
  return withExamples(
    remoteCommand('whoami')
      .description('show the account, the organization, the service and the source of the key')
      .option('--json', 'print it as JSON')
      .action((flags: ConnectionFlags & { json?: true }) =>
        remotely(async () => {
          const { client, url, keyFrom, project, keptProject } = reachService(flags);
          const { id, email, name } = await client.getMe({});
          const organizations = await readAllPages((page) => client.listOrganizations(page));
          const named = project ?? keptProject ?? null;
          if (flags.json) {
            const account = { id, email, name };
            printJson({ account, organizations, url, keyFrom, project: named });
          } else {
            const facts = [
              ['Account', `${name} <${email}>`],
              ['Organization', organizations.map((one) => one.name).join(', ') || 'none'],
              ['Service', url],
              ['Key', keySource(keyFrom)],
              ['Project', named ?? 'the only one, else Default'],
            ] as const;
            for (const line of factLines(facts, terminalAbility())) printLine(line);
          }
          return exitCodes.passed;
        }),
      ),
    'proofmark whoami',
    'proofmark whoami --url https://proofmark.example --json',
  );
}

function keySource(keyFrom: Credentials['keyFrom']): string {
  if (keyFrom === 'environment') return 'from PROOFMARK_API_KEY';
  if (keyFrom === 'login') return `from the login in ${loginsFile(process.env)}`;
  return 'of the service of this folder';
}
