import { cleanText, count } from '@proofmark/domain';
import type { Command } from 'commander';
import { readDataFiles } from '../../data-files/read-data-files.ts';
import { withExamples } from '../../examples.ts';
import { printJson, printLine, printNotice } from '../../output.ts';
import { bindServers } from '../../remote/bind-servers.ts';
import { collectFlag } from '../../remote/collect-flag.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { exitCodes, UsageProblem } from '../../remote/exit-codes.ts';
import { findingLines } from '../../remote/finding-lines.ts';
import { readGivenFile } from '../../remote/read-given-file.ts';
import { terminalAbility } from '../../remote/terminal.ts';
import { warningText } from '../../remote/warning-text.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
  readonly server?: readonly string[];
}

export function suiteImportCommand(): Command {
  const command = remoteCommand('import')
    .description('make a suite from a suite file, or replace its earlier suite')
    .argument('<file>', 'a suite file, YAML or JSON; - reads standard input')
    .option(
      '--server <name=saved>',
      'use a saved server, by id or name, for a name of the file; repeat for more',
      collectFlag,
    )
    .option('--json', 'print the result as JSON')
    .action((file: string, flags: Flags) =>
      remotely(async () => {
        const toSend = await readDataFiles(file, await readGivenFile(file));
        const connection = await connectToService(flags);
        const { client, projectId } = connection;
        const serverIds = await bindServers(connection, flags.server ?? []);
        const body = { ...toSend, ...(flags.server !== undefined && { serverIds }) };
        const made = await client
          .importEvalSuite({ projectId, body })
          .catch((error: unknown) => refuseFindings(file, error));
        for (const warning of made.warnings) printNotice(warningText(warning));
        if (flags.json) printJson(made);
        else {
          const cases = count(made.caseUpsert.committed.length, 'case');
          const name = cleanText(made.name, terminalAbility().ascii);
          printLine(`${made.replaced ? 'Replaced' : 'Made'} suite ${name} with ${cases}.`);
          printLine(`Run it: proofmark eval run ${made.suiteId} --wait`);
        }
        return exitCodes.passed;
      }),
    );
  return withExamples(
    command,
    'proofmark suite import bookshop.yaml',
    'proofmark suite import bookshop.yaml --server shop=srv_4d21',
  );
}

/**
 * Prints every mistake that the service found in the file, then throws an error with their number.
 * Any other error is rethrown unchanged.
 */
function refuseFindings(file: string, error: unknown): never {
  const { amount, lines } = findingLines(error, terminalAbility().width - prefixWidth);
  if (amount === 0) throw error;
  for (const line of lines) printNotice(line);
  throw new UsageProblem(`${file}: ${count(amount, 'mistake')}; nothing was imported.`);
}

const prefixWidth = 'proofmark: '.length;
