import type { ProjectServer } from '@proofmark/contract';
import { cleanText } from '@proofmark/domain';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { cutTo, listingCommand } from '../../remote/listing-command.ts';

export function serverListCommand(): Command {
  const command = listingCommand<ProjectServer>({
    description: 'list the saved servers of a project',
    readPage: ({ client, projectId }, page) => client.listProjectServers({ projectId, ...page }),
    none: 'No servers yet. Save one: proofmark server add NAME URL',
    header: ['ID', 'NAME', 'ADDRESS'],
    row: ({ id, enabled, name, url }, ascii) => [
      ...[id, `${cutTo(cleanText(name, ascii), 36)}${enabled ? '' : ' (disabled)'}`],
      cleanText(url ?? '(a program of the operator)', ascii),
    ],
  });
  return withExamples(command, 'proofmark server list', 'proofmark server list --json');
}
