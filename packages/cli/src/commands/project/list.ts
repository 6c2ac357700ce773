import { readAllPages } from '@proofmark/client';
import { cleanText } from '@proofmark/domain';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { printColumns, printJson, printLine } from '../../output.ts';
import {
  type ConnectionFlags,
  reachService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { cutTo } from '../../remote/listing-command.ts';
import { terminalAbility } from '../../remote/terminal.ts';

export function projectListCommand(): Command {
  return withExamples(
    remoteCommand('list')
      .description('list the projects that the key can see')
      .option('--json', 'print them as JSON')
      .action((flags: ConnectionFlags & { json?: true }) =>
        remotely(async () => {
          const { client, project, keptProject } = reachService(flags);
          const projects = await readAllPages((page) => client.listProjects(page));
          const { ascii, width } = terminalAbility();
          const used = project ?? keptProject;
          if (flags.json) printJson(projects);
          else if (projects.length === 0)
            printLine('This key can see no project; ask an admin of the organization for access.');
          else {
            const rows = projects.map(({ id, name }) => [
              ...[id, [id, name].includes(used ?? '') ? 'yes' : ''],
              cutTo(cleanText(name, ascii), width - 2),
            ]);
            printColumns(['ID', 'CHOSEN', 'NAME'], rows);
          }
          return exitCodes.passed;
        }),
      ),
    'proofmark project list',
  );
}
