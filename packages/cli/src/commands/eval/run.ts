import { type Command, InvalidArgumentError } from 'commander';
import { printJson, printLine, say } from '../../output.ts';
import { type ConnectionFlags, connect, remoteCommand, remotely } from '../../remote/connection.ts';
import { decisionText, waiverOf } from '../../remote/decision-text.ts';
import { exitCodes, gateExitCode } from '../../remote/exit-codes.ts';
import { findSuite } from '../../remote/find-suite.ts';
import { followRun } from '../../remote/follow-run.ts';
import { readDecision } from '../../remote/read-decision.ts';
import { terminalAbility } from '../../remote/terminal.ts';

interface Flags extends ConnectionFlags {
  readonly environment?: string;
  readonly iterations?: number;
  readonly wait?: true;
  readonly json?: true;
}

export function evalRun(): Command {
  return remoteCommand('run')
    .description('start a run of a suite; with --wait, end as `gate` does')
    .argument('<suite>', 'the id or the name of the suite')
    .option('--environment <id>', 'run it in this environment of the suite')
    .option('--iterations <number>', 'repeat every case so often (1 to 10)', readIterations)
    .option('--wait', 'wait for the end and print the decision')
    .option('--json', 'print JSON: what was started, with --wait the decision summary')
    .action((wanted: string, flags: Flags) => remotely(() => startRun(wanted, flags)));
}

async function startRun(wanted: string, flags: Flags): Promise<number> {
  const connection = await connect(flags);
  const { client, projectId } = connection;
  const suiteId = await findSuite(connection, wanted);
  const started = await client.createEvalRun({
    projectId,
    body: {
      suiteId,
      ...(flags.environment !== undefined && { environmentId: flags.environment }),
      ...(flags.iterations !== undefined && { iterationOverride: flags.iterations }),
    },
  });
  const { runId } = started;
  if (!flags.wait) {
    if (flags.json) printJson(started);
    else {
      printLine(`Run ${runId} has started.`);
      printLine(`Read it: proofmark eval decision ${runId}`);
    }
    return exitCodes.passed;
  }
  say(`run ${runId} has started.`);
  await whileNotInterrupted(followRun(connection, runId, say), runId);
  const decision = await readDecision(connection, runId);
  if (flags.json) printJson(decision.summary);
  else process.stdout.write(decisionText(decision, { format: 'text', ...terminalAbility() }));
  const { run, summary } = decision;
  return gateExitCode(run.status, summary.verdict, waiverOf(run) !== undefined);
}

/**
 * Whoever stops waiting does not stop the run. The process then ends as the signal would have ended it, so that the
 * script it is part of ends too.
 */
async function whileNotInterrupted(waiting: Promise<unknown>, runId: string): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const onSignal = (signal: NodeJS.Signals) => {
    say(`run ${runId} goes on without being waited for.`);
    say(`read it: proofmark eval decision ${runId}`);
    say(`stop it: proofmark eval cancel ${runId}`);
    for (const name of signals) process.removeListener(name, onSignal);
    process.kill(process.pid, signal);
  };
  for (const name of signals) process.on(name, onSignal);
  try {
    await waiting;
  } finally {
    for (const name of signals) process.removeListener(name, onSignal);
  }
}

export function readIterations(text: string): number {
  if (!/^([1-9]|10)$/.test(text)) throw new InvalidArgumentError('Give a number from 1 to 10.');
  return Number(text);
}
