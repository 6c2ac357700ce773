import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { findServer } from '../../remote/find-server.ts';

export function serverExportCommand(): Command {
  return withExamples(
    remoteCommand('export')
      .description('write the tools, prompts and resources of a server as JSON')
      .argument('[server]', 'id or name (default: the only one)')
      .option('-o, --output <file>', 'write it to this file')
      .option('--json', 'print JSON (always on)')
      .action((wanted: string | undefined, flags: ConnectionFlags & { output?: string }) =>
        remotely(async () => {
          const connection = await connectToService(flags);
          const { id: serverId } = await findServer(connection, wanted);
          const { client, projectId } = connection;
          const snapshot = await client.exportServer({ projectId, serverId, body: {} });
          const text = `${JSON.stringify(snapshot, null, 2)}\n`;
          if (flags.output === undefined) process.stdout.write(text);
          else writeFileSync(flags.output, text);
          return exitCodes.passed;
        }),
      ),
    'proofmark server export Bookshop -o bookshop.json',
  );
}
