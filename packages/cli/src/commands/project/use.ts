import { readAllPages } from '@proofmark/client';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { printJson, printLine } from '../../output.ts';
import { namedOne } from '../../remote/choose-project.ts';
import {
  type ConnectionFlags,
  reachService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { sentenceWrapper } from '../../remote/indented-lines.ts';
import { readLogins, withLogin, writeLogins } from '../../remote/logins.ts';
import { terminalAbility } from '../../remote/terminal.ts';

export function projectUseCommand(): Command {
  return withExamples(
    remoteCommand('use')
      .description('choose the project that commands use at this service')
      .argument('<name>', 'id or name')
      .option('--json', 'print it as JSON')
      .action((wanted: string, flags: ConnectionFlags & { json?: true }) =>
        remotely(async () => {
          const { client, url } = reachService(flags);
          const projects = await readAllPages((page) => client.listProjects(page));
          const hint = 'see `proofmark project list`';
          const { id, name } = namedOne(projects, wanted, 'project', hint);
          writeLogins(process.env, withLogin(readLogins(process.env), url, { project: id }));
          if (flags.json) printJson({ url, id, name });
          else {
            const sentence = `Commands at ${url} now use ${name} (${id}).`;
            for (const line of sentenceWrapper(terminalAbility())(sentence)) printLine(line);
          }
          return exitCodes.passed;
        }),
      ),
    'proofmark project use Bookshop',
  );
}
