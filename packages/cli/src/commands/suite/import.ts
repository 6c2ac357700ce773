import { readFile } from 'node:fs/promises';
import { text as readStream } from 'node:stream/consumers';
import { cleanText, count } from '@proofmark/domain';
import type { Command } from 'commander';
import { printJson, printLine, say } from '../../output.ts';
import { type ConnectionFlags, connect, remoteCommand, remotely } from '../../remote/connection.ts';
import { exitCodes, UsageProblem } from '../../remote/exit-codes.ts';
import { findingLines } from '../../remote/finding-lines.ts';
import { terminalAbility } from '../../remote/terminal.ts';

export function suiteImport(): Command {
  return remoteCommand('import')
    .description('make a suite from a suite file, or replace the one it made before')
    .argument('<file>', 'a suite file, YAML or JSON; - reads standard input')
    .option('--json', 'print what was made as JSON')
    .action((file: string, flags: ConnectionFlags & { json?: true }) =>
      remotely(async () => {
        const content = await readSuiteFile(file);
        const { client, projectId } = await connect(flags);
        const made = await client
          .importEvalSuite({ projectId, body: { content } })
          .catch((error: unknown) => {
            for (const line of findingLines(error)) say(line);
            throw error;
          });
        for (const warning of made.warnings) say(cleanText(warning, false));
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
}

async function readSuiteFile(file: string): Promise<string> {
  if (file === '-') return readStream(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageProblem(`${file} cannot be read (${code ?? 'unknown reason'}).`);
  }
}
