import { writeFile } from 'node:fs/promises';
import { cleanText } from '@proofmark/domain';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { printNotice } from '../../output.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { findSuiteId } from '../../remote/find-id.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
  readonly output?: string;
}

export function suiteExportCommand(): Command {
  const command = remoteCommand('export')
    .description('write a suite file; the same suite gives the same bytes')
    .argument('<suite>', 'the id or the name of the suite')
    .option('--json', 'write JSON instead of YAML')
    .option('-o, --output <file>', 'write it to a file instead of standard output')
    .action((wanted: string, flags: Flags) =>
      remotely(async () => {
        const connection = await connectToService(flags);
        const { client, projectId } = connection;
        const suiteId = await findSuiteId(connection, wanted);
        const format = flags.json || flags.output?.endsWith('.json') ? 'json' : 'yaml';
        const written = await client.exportEvalSuite({ projectId, suiteId, format });
        for (const warning of written.warnings) printNotice(cleanText(warning, false));
        if (flags.output === undefined) process.stdout.write(written.content);
        else {
          await writeFile(flags.output, written.content);
          printNotice(`wrote ${flags.output}.`);
        }
        return exitCodes.passed;
      }),
    );
  return withExamples(command, 'proofmark suite export Bookshop -o bookshop.yaml');
}
