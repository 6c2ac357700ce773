import type { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { findSuiteId } from '../../remote/find-id.ts';
import { sentenceWrapper } from '../../remote/indented-lines.ts';
import { terminalAbility } from '../../remote/terminal.ts';

interface Flags extends ConnectionFlags {
  readonly suite: string;
  readonly title?: string;
  readonly expectCalls?: true;
  readonly json?: true;
}

export function journeyMakeCaseCommand(): Command {
  return remoteCommand('make-case')
    .description('make a case of a session, with its messages')
    .argument('<run>', 'the id of the run')
    .argument('<session>', 'the id of the session')
    .requiredOption('--suite <id or name>', 'the suite that gets the case')
    .option('--title <title>', 'the title of the case (default: from the journey)')
    .option('--expect-calls', 'the case expects every call that succeeded in the session')
    .option('--json', 'print the case as JSON')
    .action((runId: string, sessionId: string, flags: Flags) =>
      remotely(() => makeCase(runId, sessionId, flags)),
    );
}

async function makeCase(runId: string, sessionId: string, flags: Flags): Promise<number> {
  const connection = await connectToService(flags);
  const { client, projectId } = connection;
  const suiteId = await findSuiteId(connection, flags.suite);
  const { title, expectCalls } = flags;
  const body = {
    suiteId,
    ...(title !== undefined && { title }),
    ...(expectCalls && { expectCalls }),
  };
  const made = await client.createEvalCaseFromSession({ projectId, runId, sessionId, body });
  if (flags.json) printJson(made);
  else {
    for (const line of sentenceWrapper(terminalAbility())(`Made case ${made.title}.`))
      printLine(line);
    printLine(`Run it: proofmark eval run ${suiteId} --wait`);
  }
  return exitCodes.passed;
}
