import type { OutputOf } from '@proofmark/contract';
import type { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { contentLines } from '../remote/content-lines.ts';
import { UsageProblem } from '../remote/exit-codes.ts';
import {
  type AskedServerFlags,
  askServer,
  serverCommand,
  serverNamed,
} from '../remote/server-command.ts';

export function readCommand(): Command {
  return withExamples(
    serverCommand('read')
      .description('read a resource of a server')
      .usage('[options] [server] <uri>')
      .argument('<words...>', 'the server (default: the only one), and the address of the resource')
      .action((words: string[], flags: AskedServerFlags) => {
        const uri = words.at(-1) as string;
        if (words.length > 2)
          throw new UsageProblem('Give a server and the address of one resource.');
        return askServer<OutputOf<'readResource'>>(
          serverNamed(words.length === 2 ? words[0] : undefined, flags),
          ({ client, projectId, serverId }, as) =>
            client.readResource({ projectId, serverId, body: { ...as, uri } }),
          ({ contents }, ability) => contentLines(contents, ability),
        );
      }),
    'proofmark read Notes notes://first',
  );
}
